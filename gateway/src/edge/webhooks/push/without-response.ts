/**
 * Hides from the owner of a webhook why a push got no HTTP response: one text for every cause, the time-out
 * as duration, and the time to the minute. Otherwise a webhook would reveal which ports of a host are open
 * and which names exist in the operator's network. The operator sees the cause with `postern webhook
 * deliveries`.
 */
import { setTimeout as pause } from 'node:timers/promises'
import type { MessagePush } from './message-pushes.ts'
import type { DeliveryFailureView } from '../queries.ts'
import type { PushAttempt } from './attempt-log.ts'

const noResponse =
  'no HTTP response: the host cannot be reached, refuses the connection, has no valid certificate or does not respond in time'

/** Returns false if nothing was attempted. */
export function isWithoutResponse({ httpStatus, error }: Pick<PushAttempt, 'httpStatus' | 'error'>): boolean {
  return httpStatus === null && error !== '' && !error.startsWith('not pushed')
}

export function redactTryError(entry: PushAttempt, timeoutMs: number): PushAttempt {
  if (!isWithoutResponse(entry)) return entry
  return { ...entry, at: toMinute(new Date(entry.at)).toISOString(), ms: timeoutMs, error: noResponse }
}

export function redactFailureError(failure: DeliveryFailureView): DeliveryFailureView {
  if (!isWithoutResponse(failure)) return failure
  const { failedAt, retryAt } = failure
  return {
    ...failure,
    failedAt: toMinute(failedAt),
    retryAt: retryAt === null ? null : toMinute(retryAt),
    error: noResponse,
  }
}

export function redactPushError(push: MessagePush): MessagePush {
  if (!isWithoutResponse(push)) return push
  const { triedAt, retryAt } = push
  return {
    ...push,
    triedAt: triedAt === null ? null : toMinute(new Date(triedAt)),
    retryAt: retryAt === null ? null : toMinute(retryAt),
    error: noResponse,
  }
}

/**
 * Delays the end of a request until the time-out of the push that it made, so its duration does not reveal why there was
 * no response.
 */
export async function padToTimeout(startedAt: number, timeoutMs: number): Promise<void> {
  await pause(Math.max(0, startedAt + timeoutMs - performance.now()))
}

function toMinute(time: Date): Date {
  return new Date(Math.floor(time.getTime() / 60_000) * 60_000)
}
