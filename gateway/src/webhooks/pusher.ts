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
import { everyMs } from '../platform/periodic.ts'
import type { FormatTime } from '../platform/times.ts'
import { withMilliseconds } from './body.ts'
import { disableAndTell } from './disable.ts'
import type { Guard } from './guard.ts'
import { Line, type LineContext } from './line.ts'
import {
  claimWebhooks,
  leave,
  readOwned,
  releaseWebhooks,
  tellAlive,
  type OwnedWebhook,
} from './ownership.ts'
import { removeOldDeliveries, saveProgress, type Progress } from './positions.ts'
import { readDue, readFresh, readHeads, type Want } from './source.ts'
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
  const lines = new Map<string, Line>()
  /** Stopped here and not yet given away. */
  const leaving = new Set<string>()
  let saving: Promise<void> = Promise.resolve()

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
    lines.set(webhook.id, new Line(webhook, tries, context))
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
    const wants = [...lines.values()].flatMap((line): Want[] => {
      const count = line.wantsFresh
      const { id: webhookId, accountId } = line.webhook
      return count > 0 ? [{ webhookId, accountId, afterSeq: line.afterSeq, count }] : []
    })
    if (wants.length > 0) {
      const heads = await readHeads(database, [...new Set(wants.map(({ accountId }) => accountId))])
      const behind = wants.filter(({ accountId, afterSeq }) => (heads.get(accountId) ?? 0) > afterSeq)
      if (behind.length > 0) {
        const before = new Map(behind.map(({ webhookId }) => [webhookId, lines.get(webhookId)]))
        const reports = await readFresh(database, behind, new Date(now().getTime() - pushLifetimeMs))
        hand(reports, before, (line, rows) => line.addFresh(rows))
        const counts = Map.groupBy(reports, ({ webhookId }) => webhookId)
        for (const { webhookId, accountId, count } of behind) {
          const line = lines.get(webhookId)
          const whole = (counts.get(webhookId)?.length ?? 0) < count
          if (whole && line !== undefined && line === before.get(webhookId))
            line.skipTo(heads.get(accountId)!)
        }
      }
    }
    const dueWants = [...lines].flatMap(([webhookId, line]) => {
      const count = line.wantsDue
      return count > 0 ? [{ webhookId, count }] : []
    })
    if (dueWants.length === 0) return
    const before = new Map(dueWants.map(({ webhookId }) => [webhookId, lines.get(webhookId)]))
    hand(await readDue(database, dueWants, now()), before, (line, rows) => line.addDue(rows))
  }

  /** To the lines that asked: one that was replaced meanwhile stands elsewhere. */
  function hand<Row extends { readonly webhookId: string }>(
    rows: readonly Row[],
    before: ReadonlyMap<string, Line | undefined>,
    give: (line: Line, rows: readonly Row[]) => void,
  ): void {
    for (const [webhookId, own] of Map.groupBy(rows, (row) => row.webhookId)) {
      const line = lines.get(webhookId)
      if (line !== undefined && line === before.get(webhookId)) give(line, own)
    }
  }

  /** One after the other: progress of one line must not overtake its own. */
  function save(which: readonly Line[]): Promise<void> {
    const run = async (): Promise<void> => {
      const taken = which.flatMap((line): [Line, Progress][] => {
        const progress = line.takeProgress()
        return progress === null ? [] : [[line, progress]]
      })
      if (taken.length === 0) return
      try {
        const kept = await saveProgress(
          database,
          id,
          taken.map(([, progress]) => progress),
        )
        for (const [line, progress] of taken) if (kept.has(progress.webhookId)) line.saved(progress)
      } catch (error) {
        for (const [line, progress] of taken) line.notSaved(progress)
        throw error
      }
    }
    const done = saving.then(run)
    saving = done.catch(() => undefined)
    return done
  }

  const rounds = [
    everyMs(ms.fetch, 'looking for reports to push', log, fetch),
    everyMs(ms.save, 'saving the progress of webhooks', log, () => save([...lines.values()])),
    everyMs(ms.tend, 'looking after webhooks', log, tend),
    everyMs(3_600_000, 'removing old webhook deliveries', log, () =>
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
