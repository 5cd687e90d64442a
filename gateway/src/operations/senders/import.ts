/**
 * Registers many senders at once. All are checked before any is stored, and a repeated import changes nothing.
 * All commit together, with an audit row per account and one for the list.
 */
import type { Account } from '../../identity/accounts/account.ts'
import type { Database } from '../../platform/database/database.ts'
import type { FieldCipher } from '../../platform/encryption/field-cipher.ts'
import {
  countUnchangeable,
  validateRegistration,
  registerSenders,
  type ChangedSender,
  type SenderRegistration,
} from '../../trust/senders/register.ts'
import { normalizeSenderValue, type SenderProof, type SenderKind } from '../../trust/senders/sender.ts'
import { requireAccounts } from '../find-account.ts'
import type { AuditRecorder, AuditSubject } from '../audit-recorder.ts'
import { endOfDay, readDay } from '../days.ts'
import { requireOtherRegistrant } from '../operators/second-operator.ts'

/** A sender as a file or request specifies it. */
export interface SenderRow {
  /** Line in the file, for errors. */
  readonly line: number
  readonly account: string
  readonly kind: SenderKind
  /** A number can have blanks, brackets and hyphens. */
  readonly value: string
  /** A day, YYYY-MM-DD; null means no expiry. */
  readonly validUntil: string | null
  readonly proof: SenderProof | null
}

export interface ParsedSender {
  readonly given: SenderRow
  readonly registration: SenderRegistration
}

export interface LineError {
  /** Line of the error; 0 means the whole file. */
  readonly line: number
  readonly error: string
}

export interface ImportContext {
  readonly accountOf: (clientId: string) => number | undefined
  readonly approve: boolean
  /** YYYY-MM-DD. */
  readonly today: string
  /** Kinds of numbers that the installation allows in addition to ordinary ones. */
  readonly allowedKinds: readonly string[]
}

export function accountIdsByClientId(accounts: readonly Account[]): ImportContext['accountOf'] {
  const ids = new Map(accounts.map(({ clientId, id }) => [clientId, id]))
  return (clientId) => ids.get(clientId)
}

/** One statement cannot write a row twice, so the last line of a sender applies. */
export function readSenders(
  given: readonly SenderRow[],
  context: ImportContext,
): { readonly senders: readonly ParsedSender[]; readonly errors: readonly LineError[] } {
  const bySender = new Map<string, ParsedSender>()
  const errors: LineError[] = []
  for (const row of given)
    try {
      const registration = toRegistration(row, context)
      const { accountId, kind, value } = registration
      bySender.set(`${accountId}/${kind}/${value}`, { given: row, registration })
    } catch (error) {
      errors.push({ line: row.line, error: (error as Error).message })
    }
  return { senders: [...bySender.values()], errors }
}

function toRegistration(given: SenderRow, context: ImportContext): SenderRegistration {
  const { account, kind, proof, validUntil: end } = given
  const accountId = context.accountOf(account)
  if (accountId === undefined) throw new Error(`account '${account}' not found`)
  const registration: SenderRegistration = {
    accountId,
    kind,
    value: normalizeSenderValue(kind, given.value),
    state: context.approve ? 'active' : 'pending',
    proof,
    validUntil: end === null ? null : endOfDay(readDay(end, 'validUntil')),
  }
  return validateRegistration(registration, context.today, context.allowedKinds)
}

export interface SenderImport {
  readonly senders: readonly ParsedSender[]
  readonly approve: boolean
  /** Hash of the file with the senders. */
  readonly fileSha256?: string
}

export interface SenderImportResult {
  /** New or changed senders. */
  readonly changed: number
  /** Senders that remain blocked. */
  readonly blocked: number
  readonly rejected: number
}

export async function importSenders(
  database: Database,
  audit: AuditRecorder,
  cipher: FieldCipher,
  { senders, approve, ...file }: SenderImport,
): Promise<SenderImportResult> {
  const accounts = await requireAccounts(database, [...new Set(senders.map(({ given }) => given.account))])
  const names = new Map(accounts.map(({ id, clientId }) => [id, clientId]))
  const registrations = senders.map(({ registration }) => registration)
  const { changed } = await audit.changeEach(async (transaction) => {
    const changes = await registerSenders(transaction, registrations, audit.contextFor('imported'), cipher)
    if (approve) await requireOtherRegistrant(transaction, audit, changes)
    const common = { approve, ...file }
    const counts = countChanges(changes)
    const summary = { target: 'senders', details: { lines: senders.length, ...common, ...counts } }
    return [counts, [...importSubjects(changes, (id) => names.get(id)!, common), summary]] as const
  })
  return { changed, ...(await countUnchangeable(database, registrations)) }
}

/** Maximum senders listed per audit row; the history of each sender has every change. */
const maxNamed = 10

interface ImportCounts {
  /** Sum of the other counts. */
  readonly changed: number
  /** Not registered before. */
  readonly new: number
  /** Previously pending, now active. */
  readonly approved: number
  /** State unchanged; proof or expiry updated. */
  readonly replaced: number
}

function countChanges(changes: readonly ChangedSender[]): ImportCounts {
  const added = changes.filter(({ from }) => from === null).length
  const replaced = changes.filter(({ from, to }) => from === to).length
  const changed = changes.length
  return { changed, new: added, approved: changed - added - replaced, replaced }
}

/**
 * Returns the audit rows, one per account with the first of its senders. `common` is added to the details of
 * each.
 */
function importSubjects(
  changes: readonly ChangedSender[],
  getClientId: (accountId: number) => string,
  common: Readonly<Record<string, unknown>>,
): AuditSubject[] {
  const byAccount = Map.groupBy(changes, ({ accountId }) => accountId)
  return [...byAccount].map(([accountId, accountChanges]) => {
    const account = getClientId(accountId)
    const senders = accountChanges.slice(0, maxNamed).map(({ kind, value }) => `${kind} ${value}`)
    return { target: 'senders', account, details: { ...common, ...countChanges(accountChanges), senders } }
  })
}

/** Returns the day in Korea. */
export function today(now: Date): string {
  return new Date(now.getTime() + 9 * 3_600_000).toISOString().slice(0, 10)
}
