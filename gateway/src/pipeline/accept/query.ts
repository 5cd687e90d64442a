/**
 * Query parameters of sends. They are not fields of the body, because the bodies of the contract are closed.
 *
 * - `sendAt`: the send time of a scheduled message, up to 60 days ahead. It can be cancelled until it is
 * released.
 * - `ttl`: the time limit of the message without its fallback.
 * - `dryRun`: checks the send without accepting it.
 */
import type { FastifyRequest } from 'fastify'
import { requireValid } from '../../channels/issues.ts'
import { readTtl } from '../../channels/ttl.ts'
import { invalidField } from '../../contract/problem.ts'
import { parseTimeParameter } from '../../contract/query-parameters.ts'
import { quote } from '../../contract/quote.ts'
import { clock } from '../../platform/time/clock.ts'

interface SendQuery {
  readonly sendAt?: unknown
  readonly ttl?: unknown
  readonly dryRun?: unknown
}

const maxDaysAhead = 60
/** Tolerance for clients whose clock is slightly slow. */
const graceMs = 60_000

/**
 * Returns undefined if the message is to be sent immediately. Throws a Problem if the value is not a time or
 * out of range; a time that has passed since the first request is no error of a repeated one.
 */
export function readSendAt(request: FastifyRequest, isRepeated = false): Date | undefined {
  const at = parseSendAt(request)
  const now = clock.now()
  if (isRepeated && at !== undefined && at <= now) return undefined
  return at === undefined ? undefined : checkSendAt(at, quote((request.query as SendQuery).sendAt))
}

/**
 * Returns the time in milliseconds, in any range, because a repeated request may arrive after it. Throws a
 * Problem if it is not a time.
 */
export function parseSendAt(request: FastifyRequest): number | undefined {
  const { sendAt } = request.query as SendQuery
  return sendAt === undefined ? undefined : parseTimeParameter(sendAt, 'sendAt').getTime()
}

/**
 * Returns undefined if the time has passed. Throws a Problem, which quotes `text`, if it is out of range.
 */
export function checkSendAt(at: number, text: string): Date | undefined {
  const now = clock.now()
  if (at < now - graceMs || at > now + maxDaysAhead * 86_400_000) {
    const reason = `must be between now and ${maxDaysAhead} days ahead, got ${text}`
    throw invalidField('A300', 'sendAt', reason)
  }
  return at <= now ? undefined : new Date(at)
}

export function readTtlSeconds(request: FastifyRequest): number | undefined {
  return requireValid((issues) => readTtl((request.query as SendQuery).ttl, '', issues))
}

/** Throws for other values than true and false: a misspelled value must not send the message. */
export function isDryRun(request: FastifyRequest): boolean {
  const { dryRun } = request.query as SendQuery
  if (dryRun === undefined || dryRun === 'false') return false
  if (dryRun === 'true') return true
  throw invalidField('A300', 'dryRun', `must be true or false, found ${quote(dryRun)}`)
}
