import { setTimeout as pause } from 'node:timers/promises'
import type { MessageTrace } from '../../../jobs/message-trace.ts'
import { clock } from '../../../platform/time/clock.ts'
import type { Database } from '../../../platform/database/database.ts'
import type { FieldCipher } from '../../../platform/encryption/field-cipher.ts'
import type { Log } from '../../../platform/logging/log.ts'
import { Holdings, type Work } from '../../../platform/membership/holdings.ts'
import type { Membership } from '../../../platform/membership/membership.ts'
import type { Metrics } from '../../../platform/metrics.ts'
import { every } from '../../../platform/time/periodic.ts'
import type { FormatTime } from '../../../contract/times.ts'
import { withMilliseconds } from '../body.ts'
import { disableAndNotify } from './disable.ts'
import { OwnedSecretsCache } from '../encrypted-secrets.ts'
import { EndpointWorker, type EndpointContext } from './endpoint-worker.ts'
import type { Guard } from '../guard.ts'
import { HostRateLimiter } from './host-rate-limiter.ts'
import { fenceCursors, findOwnershipTarget, readOwned, type PushedWebhook } from './ownership.ts'
import { fetchDue, fetchFresh } from './push-source.ts'
import { UnreadableSecrets } from './unreadable-secrets.ts'
import { createProgressSaver, removeOldDeliveries } from './save-progress.ts'
import { readAttemptLog, AttemptLog, writeAttemptLogs } from './attempt-log.ts'
import { pushLifetimeMs } from '../webhook.ts'

export interface PusherOptions {
  readonly database: Database
  readonly membership: Membership
  readonly guard: Guard
  /** Secrets and URLs are stored in plaintext if undefined. */
  readonly cipher?: FieldCipher
  readonly formatTime: FormatTime
  readonly scheduleMs: readonly number[]
  readonly disableAfterMs: number
  /** Pushes per second to one host, over all webhooks of this process. */
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
  /** Interval between refreshes of ownership and settings. */
  refresh: 1_000,
  /** Interval between reads of reports, replies and due deliveries. */
  fetch: 100,
  /** Interval between saves of results. */
  save: 250,
  /** Maximum time that `stop` waits for pushes in progress. */
  drain: 6_000,
}

/** Work for one webhook. The worker is replaced when its cursor was fenced, such as by a replay. */
interface Push extends Work {
  worker: EndpointWorker
}

/** Number of rounds without new reports and replies after which the pusher is idle. */
const idleAfterRounds = 30

/**
 * Starts pushing reports and replies to the webhooks that this process owns. A cursor passes one only after it was
 * acknowledged or its failure is stored, so after a crash the next owner repeats the last moments and loses nothing.
 * Accounts without a webhook cost nothing.
 */
export function startPusher(options: PusherOptions): Pusher {
  const { database, membership, log, metrics } = options
  const ms = { ...defaultIntervalsMs, ...options.intervalsMs }
  const holdings = new Holdings<Push>(membership, 'webhook', log)
  const unreadable = new UnreadableSecrets(log)
  const secrets = new OwnedSecretsCache()
  const save = createProgressSaver(database)

  const context: EndpointContext = {
    guard: options.guard,
    hosts: new HostRateLimiter(options.hostPerSecond ?? 1_000),
    formatPreciseTime: withMilliseconds(options.formatTime),
    scheduleMs: options.scheduleMs,
    disableAfterMs: options.disableAfterMs,
    metrics,
    trace: options.trace,
    disable(webhook, reason) {
      holdings.stop(webhook.id)
      disableAndNotify({ database, metrics, log }, webhook, reason, clock.date()).catch((error: unknown) =>
        log.warn(
          { err: error as Error, webhook: webhook.id },
          'could not disable a webhook; its next failure disables it',
        ),
      )
    },
  }

  function listWorkers(): Map<string, EndpointWorker> {
    return new Map([...holdings.running].map(([id, { worker }]) => [id, worker]))
  }

  async function refreshOwnership(): Promise<void> {
    if (membership.state !== 'active') return
    const processes = membership.peers('webhook').length + 1
    const { target, free } = await findOwnershipTarget(database, processes, holdings.size)
    // No webhook is enabled, and this process owns none.
    if (target + holdings.size === 0) return
    const { running } = holdings
    const keptIds = [...holdings.claimed].filter((id) => running.has(id) || unreadable.isDamaged(id))
    await holdings.claim([...keptIds.slice(0, target), ...(unreadable.lacksKey ? [] : free)])
    const owned = await readOwned(
      database,
      [...holdings.claimed],
      options.cipher,
      unreadable.startRound(),
      secrets,
    )
    const ownedIds = new Set(owned.map((webhook) => webhook.id))
    // Webhooks that were disabled, deleted or are unreadable complete their pushes in progress.
    for (const id of holdings.running.keys()) if (!ownedIds.has(id)) holdings.stop(id)
    await startOrUpdate(owned)
    const workers = listWorkers()
    metrics.webhooksOwned.set(workers.size)
    const logs = [...workers].map(([webhookId, worker]) => ({ webhookId, tries: worker.tries.take() }))
    await writeAttemptLogs(
      database,
      logs.flatMap(({ webhookId, tries }) => (tries === null ? [] : [{ webhookId, tries }])),
    )
  }

  async function startOrUpdate(owned: readonly PushedWebhook[]): Promise<void> {
    const { claimed, running } = holdings
    const fresh = owned.filter(({ id }) => claimed.has(id) && !running.has(id))
    const positions = await fenceCursors(
      database,
      fresh.map(({ id }) => id),
    )
    for (const webhook of fresh) {
      const position = positions.get(webhook.id)
      // The webhook was deleted in the meantime.
      if (position === undefined) continue
      const tries = new AttemptLog(await readAttemptLog(database, webhook.id))
      holdings.start(webhook.id, () =>
        createPush(new EndpointWorker({ ...webhook, ...position }, tries, context)),
      )
    }
    for (const webhook of owned) {
      const push = running.get(webhook.id)
      if (push === undefined) continue
      const { worker } = push
      if (worker.webhook.epoch === webhook.epoch) {
        worker.update(webhook)
        continue
      }
      // A replay, a change or another process has fenced the cursor, so the results of this worker no longer count.
      void worker.stop()
      push.worker = new EndpointWorker(webhook, worker.tries, context)
    }
  }

  function createPush(first: EndpointWorker): Push {
    const push: Push = {
      worker: first,
      async stop() {
        const { worker } = push
        const webhookId = worker.webhook.id
        await worker.stop()
        await save([worker])
        const tries = worker.tries.take()
        if (tries !== null) await writeAttemptLogs(database, [{ webhookId, tries }])
      },
    }
    return push
  }

  let idleRounds = 0
  async function fetch(): Promise<void> {
    // An idle pusher reads in one round of three.
    if (idleRounds >= idleAfterRounds && idleRounds++ % 3 !== 0) return
    const workers = listWorkers()
    const hasFresh = await fetchFresh(database, workers)
    await fetchDue(database, workers)
    if (hasFresh) idleRounds = 0
    else if (idleRounds < idleAfterRounds) idleRounds++
  }

  membership.take('webhook', { isReady: () => !unreadable.lacksKey })
  const rounds = [
    every(ms.fetch, 'reading reports to push', log, fetch),
    every(ms.save, 'saving the progress of webhooks', log, () => save([...listWorkers().values()])),
    every(ms.refresh, 'refreshing the ownership of webhooks', log, refreshOwnership),
    every(3_600_000, 'removing old webhook deliveries', log, async () => {
      await removeOldDeliveries(database, clock.cutoff(pushLifetimeMs))
    }),
  ]

  return {
    async stop() {
      await Promise.all(rounds.map((round) => round.stop()))
      membership.withdraw('webhook')
      const workers = [...listWorkers().values()]
      const drained = new AbortController()
      await Promise.race([
        Promise.all(workers.map((worker) => worker.stop())),
        pause(ms.drain, undefined, { signal: drained.signal }).catch(() => undefined),
      ])
      drained.abort()
      // Pushes that have not ended by now are repeated by the next owner.
      await save(workers).catch((error: unknown) =>
        log.warn(
          { err: error as Error },
          'could not save the progress of webhooks; the last pushes are repeated',
        ),
      )
      await membership.release('webhook', [...holdings.claimed]).catch(() => undefined)
    },
  }
}
