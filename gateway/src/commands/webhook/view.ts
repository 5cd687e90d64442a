/** Webhooks as the commands print them, over either way. Never a secret, except a new one. Pure. */
import type { FormatTime } from '../../contract/times.ts'
import type { ShownFailure } from '../../webhooks/queries.ts'
import { showFailure, showWebhook, type ShownWebhook } from '../../webhooks/schema.ts'
import { table, type Result } from '../result.ts'

export interface OwnedWebhook {
  readonly webhook: ShownWebhook
  /** Client id. */
  readonly owner: string
}

const titles = ['id', 'account', 'state', 'behind', 'retrying', 'given up', 'url']

export function webhooksResult(listed: readonly OwnedWebhook[], formatTime: FormatTime): Result {
  const rows = listed.map(({ webhook, owner }) => [
    ...[webhook.id, owner, stateOf(webhook)],
    ...[String(webhook.behind), String(webhook.retrying), String(webhook.givenUp), webhook.url],
  ])
  return {
    json: { webhooks: listed.map((one) => webhookJson(one, formatTime)) },
    lines: rows.length === 0 ? ['there are no webhooks'] : table([titles, ...rows]),
  }
}

function stateOf({ enabled, failingSince, disabledReason }: ShownWebhook): string {
  if (!enabled) return `disabled (${disabledReason ?? ''})`
  return failingSince === null ? 'enabled' : 'failing'
}

function webhookJson({ webhook, owner }: OwnedWebhook, formatTime: FormatTime) {
  return { account: owner, ...showWebhook(webhook, formatTime) }
}

export function webhookResult(owned: OwnedWebhook, formatTime: FormatTime): Result {
  const shown = webhookJson(owned, formatTime)
  return {
    json: shown,
    lines: Object.entries(shown).map(([name, value]) => `${name.padEnd(20)} ${String(value)}`),
  }
}

export function changedResult(owned: OwnedWebhook, formatTime: FormatTime): Result {
  return {
    json: webhookJson(owned, formatTime),
    lines: [`${owned.webhook.id}: changed; the worker that pushes follows within two seconds`],
  }
}

export function addedResult(id: string, secret: string): Result {
  return {
    json: { webhookId: id, secret },
    lines: [
      `webhook  ${id}`,
      `secret   ${secret}`,
      'The secret is not shown again; `postern webhook rotate` creates another.',
    ],
  }
}

export function removedResult(id: string): Result {
  return {
    json: { webhookId: id, removed: true },
    lines: [`${id}: removed; its reports stay available by polling and inquiry`],
  }
}

export function rotatedResult(id: string, secret: string, previousSecretUntil: string): Result {
  return {
    json: { webhookId: id, secret, previousSecretUntil },
    lines: [`secret   ${secret}`, `The previous secret signs as well until ${previousSecretUntil}.`],
  }
}

interface Answer {
  readonly httpStatus: number | null
  readonly ms: number
  readonly error: string
}

export function testedResult({ httpStatus, ms, error }: Answer): Result {
  const acknowledged = error === ''
  return {
    json: { acknowledged, httpStatus, ms, error },
    lines: [
      acknowledged ? `acknowledged with ${httpStatus ?? 0} after ${ms} ms` : `${error}, after ${ms} ms`,
    ],
    failed: !acknowledged,
  }
}

export function replayedResult(id: string, reports: number): Result {
  return { json: { webhookId: id, reports }, lines: [`${id}: ${reports} reports are pushed again`] }
}

interface Try extends Answer {
  readonly at: string
  readonly eventId: string
}

export function deliveriesResult(
  tries: readonly Try[],
  failed: readonly ShownFailure[],
  formatTime: FormatTime,
): Result {
  const failures = failed.map((failure) => showFailure(failure, formatTime))
  return {
    json: { tries, failures },
    lines: [
      ...tries.map(
        ({ at, eventId, httpStatus, ms, error }) =>
          `${at}  ${eventId}  ${httpStatus ?? '-'}  ${ms} ms  ${error === '' ? 'acknowledged' : error}`,
      ),
      ...failures.map(({ eventId, tries: count, retryTime, error }) => {
        const next = retryTime === '' ? 'given up' : `again at ${retryTime}`
        return `not acknowledged: ${eventId} after ${count} tries, ${next}: ${error}`
      }),
    ],
  }
}
