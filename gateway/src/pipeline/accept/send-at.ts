/**
 * `?sendAt=`: when a message is to be sent, up to sixty days ahead. It may be cancelled until it is released. A query
 * parameter, so that no body of the contract gains a field.
 */
import type { FastifyRequest } from 'fastify'
import { invalidField } from '../../contract/problem.ts'

export const maxDaysAhead = 60
/** A clock that is a little behind ours must not have its messages refused. */
const graceMs = 60_000
const pattern = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,3})?(Z|[+-]\d{2}:\d{2})$/

/** Undefined: at once. Throws a Problem when it is no time, or out of reach. */
export function readSendAt(request: FastifyRequest, now = Date.now()): Date | undefined {
  const { sendAt } = request.query as { readonly sendAt?: unknown }
  if (sendAt === undefined) return undefined
  // A plus sign that was not encoded arrives as a space.
  const text = typeof sendAt === 'string' ? sendAt.replace(' ', '+') : ''
  const at = pattern.test(text) ? Date.parse(text) : NaN
  if (Number.isNaN(at)) {
    throw invalidField(
      'A300',
      'sendAt',
      'must be a time with its offset, such as 2026-12-24T09:00:00%2B09:00',
    )
  }
  if (at < now - graceMs || at > now + maxDaysAhead * 86_400_000) {
    throw invalidField('A300', 'sendAt', `must be between now and ${maxDaysAhead} days ahead`)
  }
  return at <= now ? undefined : new Date(at)
}
