/** What recipients want of advertisements: changed and shown for commands and the admin API. Recipients are recorded by their blind index. */
import { isInternationalRecipient, isRecipient, plainNumber } from '../channels/numbers.ts'
import { clock } from '../platform/clock.ts'
import type { Database } from '../platform/database.ts'
import type { Encryption } from '../platform/encryption/encryption.ts'
import { choiceLimits, type ReachedLimit } from '../trust/suppression/plan-change.ts'
import {
  setChoices,
  type ChangeResult,
  type ChoiceChange,
  recipientKey,
  findChoice,
  readHistory,
  type FormerChoice,
  type ChoiceEntry,
} from '../trust/suppression/store.ts'
import { everyAccount, type ChoiceState } from '../trust/suppression/choice.ts'
import { requireAccountId } from './accounts.ts'
import type { ActAudit } from './act-audit.ts'
import { OperationError, wrongField } from './errors.ts'

/** Recipients that the audit log names, by their blind index. A list is known by the hash of its file. */
const maxNamed = 10

/** Without a client id: of all accounts. */
export async function listOwner(database: Database, clientId: string | undefined): Promise<number> {
  return clientId === undefined ? everyAccount : requireAccountId(database, clientId)
}

/** People write numbers with hyphens and spaces. Errors name the line, not the number. */
export function readNumbers(given: readonly string[]): string[] {
  return given.map((text, index) => {
    const number = plainNumber(text.replace(/^\uFEFF/, ''))
    if (isRecipient(number) || isInternationalRecipient(number)) return number
    throw new OperationError(
      'invalid-request',
      `number ${index + 1} is not a recipient: it must be digits that begin with 0, or + and the country code. Nothing is stored`,
    )
  })
}

const firstDay = '2000-01-01'

/** Begin of a day of Korea, YYYY-MM-DD. */
function readSince(day: string): Date {
  const midnight = Date.parse(`${day}T00:00:00Z`)
  // Date reads 30 February as 2 March.
  const exists = !Number.isNaN(midnight) && new Date(midnight).toISOString().slice(0, 10) === day
  if (!exists || day < firstDay)
    throw wrongField('since', `must be a day from ${firstDay} on, not ${day}; nothing is stored`)
  const begin = new Date(`${day}T00:00:00+09:00`)
  const now = clock.date()
  if (begin <= now) return begin
  throw wrongField('since', `must not be after today, in Korea, as ${day} is; nothing is stored`)
}

export interface ImportedChoice {
  readonly state: ChoiceState
  readonly night?: boolean | undefined
  /** A day of Korea, YYYY-MM-DD. */
  readonly since?: string | undefined
}

/**
 * Of a list, which may be imported again: an opt-out that came after the day of the list stays. An opt-out of the list counts over what
 * came later.
 */
export function readImported({ state, night = false, since }: ImportedChoice): ChoiceRequest['choice'] {
  // A consent at night is a consent.
  if (night && state !== 'agreed') throw wrongField('night', 'is only allowed with the state agreed')
  if (state === 'agreed' && since === undefined)
    throw wrongField('since', 'is required: the day of the consent. Opt-outs after that day stay')
  const begin = since === undefined ? undefined : readSince(since)
  const choice = { state, night, since: begin }
  return state === 'suppressed' ? choice : { ...choice, onlyOlder: true }
}

export interface ChoiceRequest {
  readonly account: string | undefined
  readonly numbers: readonly string[]
  readonly choice: Omit<ChoiceChange, 'source' | 'reason'>
  /** Of the file that the numbers are from; recorded where these are too many to be named. */
  readonly fileSha256?: string
}

/** `kept`: entries that are others and stay, because they hold since later. */
export type ChangedEntries = Pick<ChangeResult, 'changed' | 'kept'>

export async function changeChoices(
  database: Database,
  audit: ActAudit,
  encryption: Encryption,
  { account, numbers, choice, fileSha256 }: ChoiceRequest,
): Promise<ChangedEntries> {
  const { state } = choice
  // Consents open what rules of advertisements refuse.
  if (state === 'agreed') await audit.requireRight('trust')
  const accountId = await listOwner(database, account)
  const blindIndex = await encryption.blindIndex(database)
  let changed = 0
  const store = async (): Promise<ChangedEntries> => {
    const stored = { ...choice, source: 'operator', reason: audit.act.reason } as const
    const result = await setChoices(database, blindIndex, accountId, numbers, stored)
    changed = result.changed
    if (result.limit !== null) throw refusal(result.limit, state, changed, result.refused)
    return { changed, kept: result.kept }
  }
  const recipients = numbers
    .slice(0, maxNamed)
    .map((to) => recipientKey(blindIndex, accountId, to).toString('hex'))
  // A file of one number is found again from its hash by trying 10^8 numbers.
  const isHashed = fileSha256 !== undefined && new Set(numbers).size > maxNamed
  const details = { state, numbers: numbers.length, recipients, ...(isHashed ? { fileSha256 } : {}) }
  const subject = { target: 'recipients', account: account ?? null, details }
  return audit.around(
    subject,
    store,
    (entries) => ({ ...entries }),
    () => ({ changed }),
  )
}

function refusal(limit: ReachedLimit, state: ChoiceState, changed: number, refused: number): OperationError {
  const reason =
    limit === 'account'
      ? `an account can have at most ${state === 'agreed' ? choiceLimits.agreed : choiceLimits.suppressed} entries of this kind`
      : `the lists of all accounts hold ${choiceLimits.all} entries, which is the most; remove what is not used`
  return new OperationError(
    'refused',
    `${reason}. ${changed} entries are changed; ${refused} or more at the end of the list are not stored`,
    { facts: { changed, refused } },
  )
}

export interface KnownChoice {
  /** The recipient in the audit log; null where no recipient is known. */
  readonly index: string | null
  readonly found: ChoiceEntry | null
  readonly history: readonly FormerChoice[]
}

/** Recorded as a look at a person. */
export async function lookAtChoice(
  database: Database,
  audit: ActAudit,
  encryption: Encryption,
  account: string | undefined,
  to: string,
): Promise<KnownChoice> {
  const accountId = await listOwner(database, account)
  const blindIndex = await encryption.findBlindIndex(database)
  const key = blindIndex === undefined ? null : recipientKey(blindIndex, accountId, to)
  const index = key?.toString('hex') ?? null
  await audit.look(
    { target: 'recipient', account: account ?? null, details: { recipients: [index] } },
    'suppression',
  )
  if (key === null) return { index, found: null, history: [] }
  const found = await findChoice(database, key, accountId)
  return { index, found, history: await readHistory(database, key, accountId) }
}
