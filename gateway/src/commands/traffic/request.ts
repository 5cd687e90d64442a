/** What `postern traffic find` is asked for. Pure. */
import type { TrafficRequest } from '../../acts/traffic.ts'
import { UsageError } from '../errors.ts'

const maxLimit = 100_000

export interface TrafficOptions {
  readonly sender?: string
  readonly account?: string
  readonly from?: string
  readonly until?: string
  readonly limit: number
}

export interface ReadRequest extends TrafficRequest {
  readonly from: Date | undefined
  readonly until: Date | undefined
  readonly limit: number
}

export function readRequest(
  recipient: string | undefined,
  { sender, account, limit, ...times }: TrafficOptions,
): ReadRequest {
  if (recipient === undefined && sender === undefined)
    throw new UsageError('name a recipient, or a sender with --sender')
  const from = readTime('--from', times.from)
  const until = readTime('--until', times.until)
  if (!Number.isInteger(limit) || limit < 1 || limit > maxLimit)
    throw new UsageError(`--limit must be a whole number from 1 to ${maxLimit}`)
  return { recipient, sender, account, from, until, limit }
}

function readTime(option: string, text: string | undefined): Date | undefined {
  if (text === undefined) return undefined
  const time = new Date(text)
  if (Number.isNaN(time.getTime()))
    throw new UsageError(`${option} must be a UTC day or time, such as 2026-11-01 or 2026-11-01T09:00:00Z`)
  return time
}
