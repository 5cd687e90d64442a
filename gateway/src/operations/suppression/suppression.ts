/**
 * Changes and shows opt-outs and consents of recipients. The audit log has their blind index, not their
 * number.
 */
import { isInternationalRecipient, isRecipient, stripNumber } from '../../channels/numbers.ts'
import { clock } from '../../platform/time/clock.ts'
import type { Database } from '../../platform/database/database.ts'
import type { Encryption } from '../../platform/encryption/encryption.ts'
import { choiceLimits, type ReachedLimit } from '../../trust/suppression/plan-change.ts'
import {
  setChoices,
  type ChangeResult,
  type ChoiceChange,
  toRecipientKey,
  findChoice,
  readChoiceHistory,
  type FormerChoice,
  type ChoiceEntry,
} from '../../trust/suppression/store.ts'
import { allAccountsId, type ChoiceState } from '../../trust/suppression/choice.ts'
import { requireAccountId } from '../find-account.ts'
import type { AuditRecorder } from '../audit-recorder.ts'
import { OperationError, wrongField } from '../errors.ts'

/**
 * Maximum recipients listed per audit row, by blind index. A longer list is identified by the hash of its
 * file.
 */
const maxNamed = 10

/** Returns the account ID of a list; without a client ID, that of the list of all accounts. */
async function requireListAccount(database: Database, clientId: string | undefined): Promise<number> {
  return clientId === undefined ? allAccountsId : requireAccountId(database, clientId)
}

/** Accepts hyphens and spaces. Errors have the position, not the number. */
export function readNumbers(given: readonly string[]): string[] {
  return given.map((text, index) => {
    const number = stripNumber(text.replace(/^\uFEFF/, ''))
    if (isRecipient(number) || isInternationalRecipient(number)) return number
    throw new OperationError(
      'invalid-request',
      `number ${index + 1} is invalid: it must be digits that begin with 0, or + and the country code. Nothing was stored`,
    )
  })
}

const firstDay = '2000-01-01'

/** Returns the start of a day in Korea, YYYY-MM-DD. */
function readSince(day: string): Date {
  const midnight = Date.parse(`${day}T00:00:00Z`)
  // Date parses 30 February as 2 March.
  const exists = !Number.isNaN(midnight) && new Date(midnight).toISOString().slice(0, 10) === day
  if (!exists || day < firstDay)
    throw wrongField('since', `must be a day from ${firstDay} on, not ${day}; nothing was stored`)
  const begin = new Date(`${day}T00:00:00+09:00`)
  const now = clock.date()
  if (begin <= now) return begin
  throw wrongField('since', `must not be after today in Korea, got ${day}; nothing was stored`)
}

export interface ImportedChoice {
  readonly state: ChoiceState
  readonly night?: boolean | undefined
  /** A day in Korea, YYYY-MM-DD. */
  readonly since?: string | undefined
}

/**
 * Returns the choice of an imported list, which can be imported again: consents and removals keep entries made
 * after the day of the list, if it is given. An opt-out in the list overrides later entries.
 */
export function readImported({ state, night = false, since }: ImportedChoice): ChoiceRequest['choice'] {
  // A consent at night requires a consent.
  if (night && state !== 'agreed') throw wrongField('night', 'is only allowed with the state agreed')
  if (state === 'agreed' && since === undefined)
    throw wrongField('since', 'is required: the date of the consent')
  const begin = since === undefined ? undefined : readSince(since)
  const choice = { state, night, since: begin }
  return state === 'suppressed' ? choice : { ...choice, onlyOlder: true }
}

export interface ChoiceRequest {
  readonly account: string | undefined
  readonly numbers: readonly string[]
  readonly choice: Omit<ChoiceChange, 'source' | 'reason'>
  /** Hash of the file with the numbers; recorded if there are too many to be listed. */
  readonly fileSha256?: string
}

/** `kept` counts other entries that are more recent and were kept. */
export type SuppressionChangeCounts = Pick<ChangeResult, 'changed' | 'kept'>

export async function changeChoices(
  database: Database,
  audit: AuditRecorder,
  encryption: Encryption,
  { account, numbers, choice, fileSha256 }: ChoiceRequest,
): Promise<SuppressionChangeCounts> {
  const { state } = choice
  // A consent exempts advertisements from rules, so it requires the right to change them.
  if (state === 'agreed') await audit.requireRight('trust')
  const accountId = await requireListAccount(database, account)
  const blindIndex = await encryption.blindIndex(database)
  let changed = 0
  const store = async (): Promise<SuppressionChangeCounts> => {
    const stored = { ...choice, source: 'operator', reason: audit.act.reason } as const
    const result = await setChoices(database, blindIndex, accountId, numbers, stored)
    changed = result.changed
    if (result.limit !== null) throw refusal(result.limit, state, changed, result.refused)
    return { changed, kept: result.kept }
  }
  const recipients = numbers
    .slice(0, maxNamed)
    .map((to) => toRecipientKey(blindIndex, accountId, to).toString('hex'))
  // The number in a file of one line could be found from the hash by trying 10^8 numbers.
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
      : `the lists of all accounts have ${choiceLimits.all} entries, the maximum; remove unused ones`
  return new OperationError(
    'refused',
    `${reason}. ${changed} entries are changed; ${refused} or more at the end of the list are not stored`,
    { facts: { changed, refused } },
  )
}

export interface SuppressionEntry {
  /** Index of the recipient in the audit log; null if no recipient is known. */
  readonly index: string | null
  readonly found: ChoiceEntry | null
  readonly history: readonly FormerChoice[]
}

/** Reads an entry; recorded as access to personal data. */
export async function showSuppressionEntry(
  database: Database,
  audit: AuditRecorder,
  encryption: Encryption,
  account: string | undefined,
  to: string,
): Promise<SuppressionEntry> {
  const accountId = await requireListAccount(database, account)
  const blindIndex = await encryption.findBlindIndex(database)
  const key = blindIndex === undefined ? null : toRecipientKey(blindIndex, accountId, to)
  const index = key?.toString('hex') ?? null
  await audit.recordAccess(
    { target: 'recipient', account: account ?? null, details: { recipients: [index] } },
    'suppression',
  )
  if (key === null) return { index, found: null, history: [] }
  const found = await findChoice(database, key, accountId)
  return { index, found, history: await readChoiceHistory(database, key, accountId) }
}
