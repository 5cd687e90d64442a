/** A webhook as its owner sees it; never with its secret. */
import type { FormatTime } from '../contract/times.ts'
import type { ShownFailure } from './look.ts'
import type { WebhookView } from './queries.ts'
import type { Try } from './try-log.ts'

export function showWebhook(webhook: WebhookView, formatTime: FormatTime) {
  const { url, name, perSecond, concurrency, timeoutSeconds, acknowledgement, notices, enabled } = webhook
  const timeOr = (time: Date | null): string => (time === null ? '' : formatTime(time))
  const { previousUntil, behind, retrying, givenUp } = webhook
  return {
    webhookId: webhook.id,
    ...{ url, name, perSecond, concurrency, timeoutSeconds, acknowledgement, notices, enabled },
    disabledReason: webhook.disabledWhy ?? '',
    disabledTime: timeOr(webhook.disabledAt),
    failingSince: timeOr(webhook.failingSince),
    previousSecretUntil: timeOr(previousUntil !== null && previousUntil > new Date() ? previousUntil : null),
    ...{ behind, retrying, givenUp },
    created: formatTime(webhook.createdAt),
  }
}

export function showTry({ at, eventId, httpStatus, ms, error }: Try, formatPreciseTime: FormatTime) {
  return { time: formatPreciseTime(new Date(at)), eventId, httpStatus: httpStatus ?? 0, ms, error }
}

export function showFailure(failure: ShownFailure, formatPreciseTime: FormatTime) {
  const { eventId, tries, retryAt, failedAt, httpStatus, error } = failure
  return {
    eventId,
    failedTime: formatPreciseTime(failedAt),
    tries,
    retryTime: retryAt === null ? '' : formatPreciseTime(retryAt),
    httpStatus: httpStatus ?? 0,
    error,
  }
}
