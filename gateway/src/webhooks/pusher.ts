/**
 * Pushes reports to the webhooks that this process owns. A cursor passes a report only after the report was
 * acknowledged or its failure is stored: after a crash the next owner repeats the last moments and loses nothing.
 * Accounts without a webhook cost nothing here. The worker role starts it.
 */
import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { MessageTrace } from '../jobs/message-trace.ts'
import { clock } from '../platform/clock.ts'
import type { Database } from '../platform/database.ts'
import type { FieldCipher } from '../platform/encryption/field-cipher.ts'
import type { Log } from '../platform/log.ts'
import type { Metrics } from '../platform/metrics.ts'
import { every } from '../platform/periodic.ts'
import type { FormatTime } from '../contract/times.ts'
import { withMilliseconds } from './body.ts'
import { disableAndNotify } from './disable.ts'
import { SecretsOfOwned } from './encrypted-secrets.ts'
import { EndpointWorker, type EndpointContext } from './endpoint-worker.ts'
import type { Guard } from './guard.ts'
import { HostPaces } from './host-paces.ts'
import {
  claimWebhooks,
  deregister,
  heartbeat,
  readOwned,
  releaseWebhooks,
  type OwnedWebhook,
} from './ownership.ts'
import { fetchDue, fetchFresh } from './push-source.ts'
import { UnreadableSecrets } from './unreadable-secrets.ts'
import { createProgressSaver, removeOldDeliveries } from './save-progress.ts'
import { readTries, TryLog, writeTries } from './try-log.ts'
import { pushLifetimeMs } from './webhook.ts'

export interface PusherOptions {
  readonly database: Database
  readonly guard: Guard
  /** Absent: secrets are stored in clear. */
  readonly cipher?: FieldCipher
  readonly formatTime: FormatTime
  readonly scheduleMs: readonly number[]
  readonly disableAfterMs: number
  /** Pushes a second to one host, over all webhooks of this process. */
  readonly hostPerSecond?: number
  readonly metrics: Metrics
  readonly trace?: MessageTrace | undefined
  readonly log: Log
  readonly intervalsMs?: Partial<typeof defaultIntervalsMs>
}

export interface Pusher {
  stop(): Promise<void>
}

export const defaultIntervalsMs = {
  /** Between two refreshes of ownership and settings. */
  refresh: 1_000,
  /** Between two reads of reports and due deliveries. */
  fetch: 100,
  /** Between two saves of results. */
  save: 250,
  /** After this long without a heartbeat, others take over. */
  lease: 10_000,
  /** How long `stop` waits for pushes under way. */
  drain: 6_000,
}

/** Rounds without new reports after which a pusher is idle. */
const idleAfterRounds = 30

export function startPusher(options: PusherOptions): Pusher {
  const { database, log, metrics } = options
  const ms = { ...defaultIntervalsMs, ...options.intervalsMs }
  const id = randomUUID()
  const workers = new Map<string, EndpointWorker>()
  /** Webhooks that stopped here and are not released yet. */
  const stopping = new Set<string>()
  const unreadable = new UnreadableSecrets(log)
  const secrets = new SecretsOfOwned()
  const save = createProgressSaver(database, id)

  const context: EndpointContext = {
    guard: options.guard,
    hosts: new HostPaces(options.hostPerSecond ?? 1_000),
    formatPreciseTime: withMilliseconds(options.formatTime),
    scheduleMs: options.scheduleMs,
    disableAfterMs: options.disableAfterMs,
    metrics,
    trace: options.trace,
    disable(webhook, reason) {
      stopEndpoint(webhook.id)
      disableAndNotify({ database, metrics, log }, webhook, reason, clock.date()).catch((error: unknown) =>
        log.warn(
          { err: error as Error, webhook: webhook.id },
          'could not disable a webhook; its next failure disables it',
        ),
      )
    },
  }

  async function refreshOwnership(): Promise<void> {
    const share = await heartbeat(database, id, ms.lease)
    // Nobody has a webhook, and this process owns none.
    if (share + workers.size + stopping.size === 0) return
    const held = workers.size + stopping.size + unreadable.damaged
    await claimWebhooks(database, id, ms.lease, unreadable.lacksKey ? 0 : share - held)
    const owned = await readOwned(database, id, options.cipher, unreadable.startRound(), secrets)
    const ownedIds = new Set(owned.map((webhook) => webhook.id))
    const released = unreadable.toRelease().filter((one) => !workers.has(one) && !stopping.has(one))
    if (released.length > 0) await releaseWebhooks(database, id, released)
    // Disabled, deleted, taken over or unreadable: pushes in progress are completed.
    for (const webhookId of workers.keys()) if (!ownedIds.has(webhookId)) stopEndpoint(webhookId)
    for (const webhook of owned) if (!stopping.has(webhook.id)) await startOrUpdate(webhook)
    for (const webhookId of [...workers.keys()].slice(share)) stopEndpoint(webhookId)
    metrics.webhooksOwned.set(workers.size)
    const logs = [...workers].map(([webhookId, worker]) => ({ webhookId, tries: worker.tries.take() }))
    await writeTries(
      database,
      logs.flatMap(({ webhookId, tries }) => (tries === null ? [] : [{ webhookId, tries }])),
    )
  }

  async function startOrUpdate(webhook: OwnedWebhook): Promise<void> {
    const worker = workers.get(webhook.id)
    // A new epoch: the cursor was moved elsewhere, and what this worker holds no longer counts.
    const moved = worker !== undefined && worker.webhook.epoch !== webhook.epoch
    if (worker !== undefined && !moved) return worker.update(webhook)
    if (moved) void worker.stop()
    const tries = worker?.tries ?? new TryLog(await readTries(database, webhook.id))
    workers.set(webhook.id, new EndpointWorker(webhook, tries, context))
  }

  /** Stops a worker and saves its results; then any process may claim the webhook. */
  function stopEndpoint(webhookId: string): void {
    const worker = workers.get(webhookId)
    if (worker === undefined) return
    workers.delete(webhookId)
    stopping.add(webhookId)
    const end = async (): Promise<void> => {
      await worker.stop()
      await save([worker])
      const tries = worker.tries.take()
      if (tries !== null) await writeTries(database, [{ webhookId, tries }])
      await releaseWebhooks(database, id, [webhookId])
    }
    end()
      .catch((error: unknown) =>
        log.warn(
          { err: error as Error, webhook: webhookId },
          'could not release a webhook; its unsaved pushes are repeated',
        ),
      )
      .finally(() => stopping.delete(webhookId))
  }

  let idleRounds = 0
  async function fetch(): Promise<void> {
    // After a time without reports, it reads in one round of three.
    if (idleRounds >= idleAfterRounds && idleRounds++ % 3 !== 0) return
    const found = await fetchFresh(database, workers)
    await fetchDue(database, workers)
    if (found) idleRounds = 0
    else if (idleRounds < idleAfterRounds) idleRounds++
  }

  const rounds = [
    every(ms.fetch, 'reading reports to push', log, fetch),
    every(ms.save, 'saving the progress of webhooks', log, () => save([...workers.values()])),
    every(ms.refresh, 'refreshing the ownership of webhooks', log, refreshOwnership),
    every(3_600_000, 'removing old webhook deliveries', log, async () => {
      await removeOldDeliveries(database, clock.cutoff(pushLifetimeMs))
    }),
  ]

  return {
    async stop() {
      await Promise.all(rounds.map((round) => round.stop()))
      const last = [...workers.values()]
      const drained = new AbortController()
      await Promise.race([
        Promise.all(last.map((worker) => worker.stop())),
        pause(ms.drain, undefined, { signal: drained.signal }).catch(() => undefined),
      ])
      drained.abort()
      // Pushes that have not ended by now are repeated by the next owner.
      await save(last).catch((error: unknown) =>
        log.warn(
          { err: error as Error },
          'could not save the progress of webhooks; the last pushes are repeated',
        ),
      )
      await deregister(database, id).catch(() => undefined)
    },
  }
}
