/**
 * `?sendAt=`: the send time of a scheduled message, up to 60 days ahead. The message can be cancelled until it is
 * released. It is a query parameter so that the bodies of the contract gain no field.
 */
import type { FastifyRequest } from 'fastify'
import { invalidField } from '../../contract/problem.ts'
import { quote } from '../../contract/quote.ts'
import { clock } from '../../platform/clock.ts'

const maxDaysAhead = 60
/** Messages from a client whose clock is slightly slow must not be rejected. */
const graceMs = 60_000
const pattern = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,3})?(Z|[+-]\d{2}:\d{2})$/

/** Returns undefined if the message is to be sent immediately. Throws a Problem if the value is not a time or out of range. */
export function readSendAt(request: FastifyRequest, now = clock.now()): Date | undefined {
  const at = parseSendAt(request)
  const { sendAt } = request.query as { readonly sendAt?: unknown }
  return at === undefined ? undefined : checkSendAt(at, quote(sendAt), now)
}

/** Returns the time in milliseconds, in any range: a repeated request may come after it. Throws a Problem if it is not a time. */
export function parseSendAt(request: FastifyRequest): number | undefined {
  const { sendAt } = request.query as { readonly sendAt?: unknown }
  if (sendAt === undefined) return undefined
  // A plus sign that was not encoded arrives as a space.
  const text = typeof sendAt === 'string' ? sendAt.replace(' ', '+') : ''
  const at = pattern.test(text) ? Date.parse(text) : NaN
  if (Number.isNaN(at)) {
    throw invalidField(
      'A300',
      'sendAt',
      `must be a time with its offset, such as 2026-12-24T09:00:00%2B09:00, found ${quote(sendAt)}`,
    )
  }
  return at
}

/** Undefined: it is now. `found` is how the client wrote it. Throws a Problem when it is out of range. */
export function checkSendAt(at: number, found: string, now = clock.now()): Date | undefined {
  if (at < now - graceMs || at > now + maxDaysAhead * 86_400_000) {
    const reason = `must be between now and ${maxDaysAhead} days ahead, found ${found}`
    throw invalidField('A300', 'sendAt', reason)
  }
  return at <= now ? undefined : new Date(at)
}
