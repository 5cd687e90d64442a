/**
 * What the owner of a webhook learns of a push without an HTTP response: one text for every cause, the time-out as its duration
 * and its time to the minute. Else a webhook would show which ports of a host are open, and which names exist in the network
 * of the operator, who sees the cause with `postern webhook deliveries`. Used by the API, by the admin API for clients, and by the proof of
 * receivers.
 */
import { setTimeout as pause } from 'node:timers/promises'
import type { MessagePush } from './message-pushes.ts'
import type { ShownFailure } from './queries.ts'
import type { Try } from './try-log.ts'

const noResponse =
  'no HTTP response: the host cannot be reached, refuses the connection, has no valid certificate or does not respond in time'

/** False when nothing was tried. */
export function isWithoutResponse({ httpStatus, error }: Pick<Try, 'httpStatus' | 'error'>): boolean {
  return httpStatus === null && error !== '' && !error.startsWith('not pushed')
}

export function hideCauseOfTry(entry: Try, timeoutMs: number): Try {
  if (!isWithoutResponse(entry)) return entry
  return { ...entry, at: toMinute(new Date(entry.at)).toISOString(), ms: timeoutMs, error: noResponse }
}

export function hideCauseOfFailure(failure: ShownFailure): ShownFailure {
  if (!isWithoutResponse(failure)) return failure
  const { failedAt, retryAt } = failure
  return {
    ...failure,
    failedAt: toMinute(failedAt),
    retryAt: retryAt === null ? null : toMinute(retryAt),
    error: noResponse,
  }
}

export function hideCauseOfPush(push: MessagePush): MessagePush {
  if (!isWithoutResponse(push)) return push
  const { triedAt, retryAt } = push
  return {
    ...push,
    triedAt: triedAt === null ? null : toMinute(new Date(triedAt)),
    retryAt: retryAt === null ? null : toMinute(retryAt),
    error: noResponse,
  }
}

/** The answer of a request that pushed takes as long without a response as with one that never comes. */
export async function waitOutTimeout(startedAt: number, timeoutMs: number): Promise<void> {
  await pause(Math.max(0, startedAt + timeoutMs - performance.now()))
}

function toMinute(time: Date): Date {
  return new Date(Math.floor(time.getTime() / 60_000) * 60_000)
}
