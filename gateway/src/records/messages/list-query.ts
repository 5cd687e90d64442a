/** Reads and checks the body of POST /v1/message/search. */
import { timeDigits } from '../../contract/msg-key.ts'
import { invalidField, memberPath } from '../../contract/problem.ts'
import { parseTimeParameter } from '../../contract/query-parameters.ts'
import { quote } from '../../contract/quote.ts'
import { normalizeRecipient } from '../../platform/recipient.ts'
import type { CursorFormat } from '../../platform/encryption/sealed-cursor.ts'
import type { MessageFilter } from './search.ts'

export const maxListed = 200
export const defaultListed = 50
export const maxWindowDays = 31
export const maxRef = 200
export const maxCursor = 200

export interface ListQuery {
  readonly filter: MessageFilter
  readonly limit: number
}

const fields = ['since', 'until', 'ref', 'to', 'state', 'limit', 'cursor'] as const

export function readListQuery(body: unknown, accountId: number, cursors: CursorFormat, now: Date): ListQuery {
  const values = (typeof body === 'object' && body !== null ? body : {}) as Readonly<
    Partial<Record<(typeof fields)[number], unknown>>
  >
  // A misspelled filter must not return all messages.
  const unknown = Object.keys(values).find((name) => !(fields as readonly string[]).includes(name))
  if (unknown !== undefined)
    throw invalidField('A300', memberPath('', unknown), `must be one of ${fields.join(', ')}`)
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
    limit: values.limit === undefined ? defaultListed : readLimit(values.limit),
  }
}

function readRef(given: unknown): string {
  const isRef = typeof given === 'string' && given.length >= 1 && given.length <= maxRef
  if (isRef && given.isWellFormed() && !given.includes('\0')) return given
  throw invalidField('A300', 'ref', `must be the whole 'ref' of a send, 1 to ${maxRef} characters`)
}

function readRecipient(given: unknown): string {
  const number = typeof given === 'string' ? normalizeRecipient(given) : ''
  if (/^\+?\d{3,20}$/.test(number)) return number
  throw invalidField('A300', 'to', 'must be a recipient as in sends: digits, or + and the country code')
}

function readState(given: unknown): 'open' | 'closed' {
  if (given === 'open' || given === 'closed') return given
  throw invalidField('A300', 'state', `must be open or closed, found ${quote(given)}`)
}

function readLimit(given: unknown): number {
  if (typeof given === 'number' && Number.isInteger(given) && given >= 1 && given <= maxListed) return given
  throw invalidField('A300', 'limit', `must be an integer from 1 to ${maxListed}, got ${quote(given)}`)
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
