/** Reads and checks the parameters of GET /v1/message. */
import { timeDigits } from '../../contract/msg-key.ts'
import { invalidField, memberPath } from '../../contract/problem.ts'
import { parseIntegerParameter, parseTimeParameter } from '../../contract/query-parameters.ts'
import { quote } from '../../contract/quote.ts'
import { normalizeRecipient } from '../../platform/encryption/blind-index.ts'
import type { CursorFormat } from '../../platform/encryption/sealed-cursor.ts'
import type { MessageFilter } from './search.ts'

export const maxListed = 200
export const defaultListed = 50
export const maxWindowDays = 31
const maxRef = 200
const maxCursor = 200

export interface ListQuery {
  readonly filter: MessageFilter
  readonly limit: number
}

const parameters = ['since', 'until', 'ref', 'to', 'state', 'limit', 'cursor'] as const

export function readListQuery(
  query: unknown,
  accountId: number,
  cursors: CursorFormat,
  now: Date,
): ListQuery {
  const values = query as Readonly<Partial<Record<(typeof parameters)[number], unknown>>>
  // A misspelled filter must not return all messages.
  const unknown = Object.keys(values).find((name) => !(parameters as readonly string[]).includes(name))
  if (unknown !== undefined)
    throw invalidField('A300', memberPath('', unknown), `must be one of ${parameters.join(', ')}`)
  if (values.since === undefined) throw invalidField('A300', 'since', 'is required')
  const since = parseTimeParameter(values.since, 'since')
  const until = values.until === undefined ? now : parseTimeParameter(values.until, 'until')
  const days = (until.getTime() - since.getTime()) / 86_400_000
  // Allows one more day, because "now" advances while a client reads the pages of a month.
  if (days <= 0 || days > maxWindowDays + 1)
    throw invalidField(
      'A300',
      'since',
      `must be before 'until' (default: now), by at most ${maxWindowDays} days`,
    )
  return {
    filter: {
      accountId,
      ref: values.ref === undefined ? undefined : readRef(values.ref),
      recipient: values.to === undefined ? undefined : readRecipient(values.to),
      state: values.state === undefined ? undefined : readState(values.state),
      fromKey: timeDigits(since),
      beforeKey: values.cursor === undefined ? timeDigits(until) : readCursor(values.cursor, cursors),
    },
    limit:
      values.limit === undefined ? defaultListed : parseIntegerParameter(values.limit, 'limit', 1, maxListed),
  }
}

function readRef(given: unknown): string {
  const isRef = typeof given === 'string' && given.length >= 1 && given.length <= maxRef
  if (isRef && given.isWellFormed() && !given.includes('\0')) return given
  throw invalidField('A300', 'ref', `must be the whole 'ref' of a send, 1 to ${maxRef} characters`)
}

function readRecipient(given: unknown): string {
  // A plus sign that was not encoded arrives as a space.
  const number = typeof given === 'string' ? normalizeRecipient(given.replace(/^ /, '+')) : ''
  if (/^\+?\d{3,20}$/.test(number)) return number
  throw invalidField('A300', 'to', 'must be a recipient as in sends: digits, or %2B and the country code')
}

function readState(given: unknown): 'open' | 'closed' {
  if (given === 'open' || given === 'closed') return given
  throw invalidField('A300', 'state', `must be open or closed, found ${quote(given)}`)
}

function readCursor(given: unknown, cursors: CursorFormat): string {
  try {
    if (typeof given === 'string' && given.length <= maxCursor) return cursors.read(given)
  } catch {
    // The cursor was changed, or belongs to another account.
  }
  throw invalidField(
    'A300',
    'cursor',
    'must be one that this list returned; omit it to start from the first page',
  )
}
