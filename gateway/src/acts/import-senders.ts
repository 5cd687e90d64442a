/**
 * Registers many senders at once. Every one is checked before any is stored, and one that is registered already changes nothing, so that a
 * list can be imported again. All commit together, with a row of the audit log for each account.
 */
import type { Account } from '../accounts/account.ts'
import type { Database } from '../platform/database.ts'
import type { FieldCipher } from '../platform/encryption/field-cipher.ts'
import {
  countRefused,
  readRegistration,
  registerSenders,
  type ChangedSender,
  type Registration,
} from '../trust/senders/register.ts'
import { plainValue, type Proof, type SenderKind } from '../trust/senders/sender.ts'
import { requireAccounts } from './accounts.ts'
import type { ActAudit, Subject } from './act-audit.ts'
import { endOfDay, readDay } from './days.ts'
import { requireOtherRegistrant } from './second-operator.ts'

/** As a file or a request gives it. */
export interface GivenSender {
  /** Where it is in the file, for errors. */
  readonly line: number
  readonly account: string
  readonly kind: SenderKind
  /** A number may be written with blanks, brackets and hyphens. */
  readonly value: string
  /** A day, YYYY-MM-DD; null: without end. */
  readonly validUntil: string | null
  readonly proof: Proof | null
}

export interface ReadSender {
  readonly given: GivenSender
  readonly registration: Registration
}

export interface LineError {
  /** 0: it concerns the whole file. */
  readonly line: number
  readonly error: string
}

export interface ImportContext {
  readonly accountOf: (clientId: string) => number | undefined
  readonly approve: boolean
  /** YYYY-MM-DD. */
  readonly today: string
  /** Kinds of numbers that the installation allows besides ordinary ones. */
  readonly allowedKinds: readonly string[]
}

export function accountIdsByClientId(accounts: readonly Account[]): ImportContext['accountOf'] {
  const ids = new Map(accounts.map(({ clientId, id }) => [clientId, id]))
  return (clientId) => ids.get(clientId)
}

/** One statement cannot write a row twice: the last line of a sender counts. */
export function readSenders(
  given: readonly GivenSender[],
  context: ImportContext,
): { readonly senders: readonly ReadSender[]; readonly errors: readonly LineError[] } {
  const found = new Map<string, ReadSender>()
  const errors: LineError[] = []
  for (const one of given)
    try {
      const registration = toRegistration(one, context)
      const { accountId, kind, value } = registration
      found.set(`${accountId}/${kind}/${value}`, { given: one, registration })
    } catch (error) {
      errors.push({ line: one.line, error: (error as Error).message })
    }
  return { senders: [...found.values()], errors }
}

function toRegistration(given: GivenSender, context: ImportContext): Registration {
  const { account, kind, proof, validUntil: end } = given
  const accountId = context.accountOf(account)
  if (accountId === undefined) throw new Error(`there is no account '${account}'`)
  const registration: Registration = {
    accountId,
    kind,
    value: plainValue(kind, given.value),
    state: context.approve ? 'active' : 'pending',
    proof,
    validUntil: end === null ? null : endOfDay(readDay(end, 'validUntil')),
  }
  return readRegistration(registration, context.today, context.allowedKinds)
}

export interface SenderImport {
  readonly senders: readonly ReadSender[]
  readonly approve: boolean
  /** The hash of the file that lists the senders. */
  readonly fileSha256?: string
}

export interface ImportedSenders {
  /** New or changed. */
  readonly changed: number
  /** They stay so. */
  readonly blocked: number
  readonly rejected: number
}

export async function importSenders(
  database: Database,
  audit: ActAudit,
  cipher: FieldCipher,
  { senders, approve, ...file }: SenderImport,
): Promise<ImportedSenders> {
  const accounts = await requireAccounts(database, [...new Set(senders.map(({ given }) => given.account))])
  const names = new Map(accounts.map(({ id, clientId }) => [id, clientId]))
  const registrations = senders.map(({ registration }) => registration)
  const { changed } = await audit.changeEach(async (transaction) => {
    const changes = await registerSenders(transaction, registrations, audit.actFor('imported'), cipher)
    if (approve) await requireOtherRegistrant(transaction, audit, changes)
    const common = { approve, ...file }
    const counts = countChanges(changes)
    const whole = { target: 'senders', details: { lines: senders.length, ...common, ...counts } }
    return [counts, [...importSubjects(changes, (id) => names.get(id)!, common), whole]] as const
  })
  return { changed, ...(await countRefused(database, registrations)) }
}

/** The number of senders that a row names. The history of each sender has every change. */
const maxNamed = 10

interface ImportCounts {
  /** The sum of the others. */
  readonly changed: number
  /** Not registered before. */
  readonly new: number
  /** Pending before, and active now. */
  readonly approved: number
  /** In the same state as before, with another proof or end. */
  readonly replaced: number
}

function countChanges(changes: readonly ChangedSender[]): ImportCounts {
  const added = changes.filter(({ from }) => from === null).length
  const replaced = changes.filter(({ from, to }) => from === to).length
  const changed = changes.length
  return { changed, new: added, approved: changed - added - replaced, replaced }
}

/** Makes the rows of the audit log, one for each account with the first of its senders. `common` is part of the details of each. */
function importSubjects(
  changes: readonly ChangedSender[],
  clientIdOf: (accountId: number) => string,
  common: Readonly<Record<string, unknown>>,
): Subject[] {
  const byAccount = Map.groupBy(changes, ({ accountId }) => accountId)
  return [...byAccount].map(([accountId, ofAccount]) => {
    const account = clientIdOf(accountId)
    const senders = ofAccount.slice(0, maxNamed).map(({ kind, value }) => `${kind} ${value}`)
    return { target: 'senders', account, details: { ...common, ...countChanges(ofAccount), senders } }
  })
}

/** The day in Korea. */
export function today(now: Date): string {
  return new Date(now.getTime() + 9 * 3_600_000).toISOString().slice(0, 10)
}
