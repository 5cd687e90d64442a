/**
 * Pushes reports to the webhooks that this worker owns. A report is passed by its webhook's cursor only after it was
 * acknowledged or its failure is kept, so that a killed worker repeats the last moments and loses nothing; another one
 * takes its webhooks over. Accounts without a webhook cost nothing here.
 */
import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { Database } from '../platform/database.ts'
import type { Log } from '../platform/log.ts'
import type { Metrics } from '../platform/metrics.ts'
import { every } from '../platform/periodic.ts'
import type { FormatTime } from '../contract/times.ts'
import { withMilliseconds } from './body.ts'
import { disableAndTell } from './disable.ts'
import { fetchDue, fetchFresh } from './fetching.ts'
import type { Guard } from './guard.ts'
import { EndpointWorker, type LineContext } from './endpoint-worker.ts'
import {
  claimWebhooks,
  leave,
  readOwned,
  releaseWebhooks,
  tellAlive,
  type OwnedWebhook,
} from './ownership.ts'
import { removeOldDeliveries } from './positions.ts'
import { createSaving } from './saving.ts'
import { readTries, TryLog, writeTries } from './try-log.ts'
import { pushLifetimeMs } from './webhook.ts'

export interface PusherOptions {
  readonly database: Database
  readonly guard: Guard
  readonly formatTime: FormatTime
  readonly scheduleMs: readonly number[]
  readonly disableAfterMs: number
  readonly metrics: Metrics
  readonly log: Log
  readonly now?: () => Date
  readonly paceMs?: Partial<typeof paces>
}

export interface Pusher {
  stop(): Promise<void>
}

/** How often it looks: for webhooks, for reports, and when it makes durable what became of them. */
export const paces = { tend: 1_000, fetch: 100, save: 250, lease: 10_000, drain: 6_000 }

export function startPusher(options: PusherOptions): Pusher {
  const { database, log, metrics, now = () => new Date() } = options
  const ms = { ...paces, ...options.paceMs }
  const id = randomUUID()
  const lines = new Map<string, EndpointWorker>()
  /** Stopped here and not yet given away. */
  const leaving = new Set<string>()
  const save = createSaving(database, id)

  const context: LineContext = {
    guard: options.guard,
    formatPreciseTime: withMilliseconds(options.formatTime),
    scheduleMs: options.scheduleMs,
    disableAfterMs: options.disableAfterMs,
    metrics,
    now,
    disable(webhook, why) {
      retire(webhook.id)
      disableAndTell({ database, metrics, log }, webhook, why, now()).catch((error: unknown) =>
        log.warn(
          { err: error as Error, webhook: webhook.id },
          'cannot disable a webhook; its next failure will',
        ),
      )
    },
  }

  async function tend(): Promise<void> {
    const share = await tellAlive(database, id, ms.lease)
    await claimWebhooks(database, id, ms.lease, share - lines.size - leaving.size)
    const owned = await readOwned(database, id)
    const mine = new Map(owned.map((webhook) => [webhook.id, webhook]))
    // Disabled, deleted or taken over: what is under way ends by itself.
    for (const lineId of lines.keys()) if (!mine.has(lineId)) retire(lineId)
    for (const webhook of owned) if (!leaving.has(webhook.id)) await keep(webhook)
    for (const lineId of [...lines.keys()].slice(share)) retire(lineId)
    metrics.webhooksOwned.set(lines.size)
    const logs = [...lines].map(([webhookId, line]) => ({ webhookId, tries: line.tries.take() }))
    await writeTries(
      database,
      logs.flatMap(({ webhookId, tries }) => (tries === null ? [] : [{ webhookId, tries }])),
    )
  }

  async function keep(webhook: OwnedWebhook): Promise<void> {
    const line = lines.get(webhook.id)
    // Somebody has moved the cursor: what is in hand here is void.
    const moved = line !== undefined && line.webhook.epoch !== webhook.epoch
    if (line !== undefined && !moved) return line.update(webhook)
    if (moved) void line.stop()
    const tries = line?.tries ?? new TryLog(await readTries(database, webhook.id))
    lines.set(webhook.id, new EndpointWorker(webhook, tries, context))
  }

  /** Ends a line; once what it has in hand is durable, the webhook is anybody's. */
  function retire(lineId: string): void {
    const line = lines.get(lineId)
    if (line === undefined) return
    lines.delete(lineId)
    leaving.add(lineId)
    const end = async (): Promise<void> => {
      await line.stop()
      await save([line])
      const tries = line.tries.take()
      if (tries !== null) await writeTries(database, [{ webhookId: lineId, tries }])
      await releaseWebhooks(database, id, [lineId])
    }
    end()
      .catch((error: unknown) =>
        log.warn({ err: error as Error, webhook: lineId }, 'cannot give a webhook away; it is repeated'),
      )
      .finally(() => leaving.delete(lineId))
  }

  async function fetch(): Promise<void> {
    await fetchFresh(database, lines, now())
    await fetchDue(database, lines, now())
  }

  const rounds = [
    every(ms.fetch, 'looking for reports to push', log, fetch),
    every(ms.save, 'saving the progress of webhooks', log, () => save([...lines.values()])),
    every(ms.tend, 'looking after webhooks', log, tend),
    every(3_600_000, 'removing old webhook deliveries', log, () =>
      removeOldDeliveries(database, new Date(now().getTime() - pushLifetimeMs)),
    ),
  ]

  return {
    async stop() {
      await Promise.all(rounds.map((round) => round.stop()))
      const last = [...lines.values()]
      const late = new AbortController()
      await Promise.race([
        Promise.all(last.map((line) => line.stop())),
        pause(ms.drain, undefined, { signal: late.signal }).catch(() => undefined),
      ])
      late.abort()
      // What has not ended by now is repeated by whoever comes next.
      await save(last).catch((error: unknown) =>
        log.warn(
          { err: error as Error },
          'cannot save the progress of webhooks; the last pushes are repeated',
        ),
      )
      await leave(database, id).catch(() => undefined)
    },
  }
}
