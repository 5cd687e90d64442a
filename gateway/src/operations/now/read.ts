/**
 * Reads the figures of the first screen. Requests within a second share one reading, so that many open
 * consoles cost no more than one. The sums of the ledger, the most expensive part, are read every ten
 * seconds.
 */
import { lanes } from '../../channels/lane.ts'
import { listWorkers } from '../../platform/membership/tables.ts'
import { clock } from '../../platform/time/clock.ts'
import { isDatabaseUnavailable, type Database } from '../../platform/database/database.ts'
import { keyAgeSeconds, readCheck, readOldestOpen } from '../../records/ledger/check.ts'
import { OperationError } from '../errors.ts'
import type { AdminServices } from '../services.ts'
import { findAlarms } from './alarms.ts'
import type { FailureFigures } from './cause-figures.ts'
import type { NowFigures, LedgerFigures, Now, Queue } from './figures.ts'
import { FlowMeter } from './flow.ts'
import { CachedReading } from './cached-reading.ts'
import { readRecentResults, toLanes } from './lanes.ts'
import { maxCounts, readBacklog } from './read-backlog.ts'
import { describeLockWaits, lockAdvice, readLockWaits, type LockFigures } from './read-database.ts'
import { readFailures } from './read-failures.ts'
import { BackgroundReading } from './background-reading.ts'
import { maxRoutes, maxCountedSteps, readRoutes } from './read-routes.ts'

const keepMs = 1_000
const keepTotalsMs = 10_000
/** A waiting statement is reported after a second, and aborted after two. */
const lockCheckMs = 1_400
const maxParked = 10_000

type Services = Pick<AdminServices, 'reads' | 'broker' | 'topology' | 'log'>

export class NowReader {
  readonly #services: Services
  readonly #flow = new FlowMeter()
  #last: { readonly at: number; readonly now: Promise<Now> } | undefined
  readonly #totals = new CachedReading<Totals>(keepTotalsMs)
  readonly #failures: BackgroundReading<FailureFigures>
  #previousTotals: Totals | undefined

  constructor(services: Services) {
    this.#services = services
    this.#failures = new BackgroundReading<FailureFigures>({
      keepMs: keepTotalsMs,
      maxAgeMs: 60_000,
      waitMs: 1_000,
      nothing: { routes: [], ended: 0, unserved: 0 },
      onError: (error) =>
        services.log.warn(
          { err: error as Error },
          'cannot read route failures; the console shows none. Check PostgreSQL if this persists',
        ),
    })
  }

  read(): Promise<Now> {
    const at = performance.now()
    if (this.#last === undefined || at - this.#last.at > keepMs) {
      const now = this.#readOrExplain()
      const last = { at, now }
      this.#last = last
      // A failed reading is not cached.
      now.catch(() => {
        if (this.#last === last) this.#last = undefined
      })
    }
    return this.#last.now
  }

  async #read(): Promise<Now> {
    const { reads, broker, topology } = this.#services
    const now = clock.date()
    const began = performance.now()
    const queuesRead = readQueues({ broker, topology })
    const failuresRead = this.#failures.read(() => readFailures(reads, now))
    const counts = await readCounts(reads)
    const oldest = await readOldestOpen(reads, now)
    const totals = await this.#readTotals()
    const check = await readCheck(reads)
    const ledger: LedgerFigures = {
      accepted: totals.accepted,
      final: totals.closed,
      inFlight: totals.accepted - totals.closed,
      gap: check?.gap ?? null,
      unrecorded: check?.unrecorded ?? null,
      checkedAt: check?.checkedAt ?? null,
    }
    const { waitingKey, parked, parkedSeconds, minute } = counts
    const waiting = Object.values(counts.waiting).reduce((sum, count) => sum + count, 0)
    const { backlog, waiting: due } = await readBacklog(reads)
    const { links, routes, submitted, delivered, failed, seenAt } = await readRoutes(reads, minute, {
      count: maxCounts(counts.waiting, due.count),
      seconds: due.seconds,
    })
    const locks = await readLockWaits(reads)
    const { lanes: laneFigures, results } = toLanes(routes, await readRecentResults(reads))
    const flow = { ...(await this.#flow.read(reads)), ...results }
    const workers = await readWorkers(reads, topology.dispatch.length)
    // Measured before work that does not depend on PostgreSQL.
    const readMs = Math.round(performance.now() - began)
    const rates = { ...perMinute({ accepted: counts.accepted, delivered, failed }), submitted }
    const figures: NowFigures = {
      at: now,
      readings: { minute, ledgerAt: totals.readAt, routesAt: seenAt },
      rates: { ...rates, closed: totals.closedPerSecond },
      flow,
      lanes: laneFigures,
      ages: { ...oldest, waitingSeconds: keyAgeSeconds(waitingKey, now), parkedSeconds },
      queues: await queuesRead,
      waiting: { count: Math.min(waiting, maxCountedSteps), more: waiting > maxCountedSteps },
      parked,
      ledger,
      links,
      routes: routes.slice(0, maxRoutes),
      workers,
      webhooks: { ...counts.webhooks },
      backlog,
      failures: await failuresRead,
      database: { ...locks, readMs },
    }
    return { ...figures, alarms: findAlarms(figures, now.getTime()) }
  }

  #readTotals(): Promise<Totals> {
    return this.#totals.read(async (at) => {
      const totals = await readTotals(this.#services.reads, this.#previousTotals, at)
      this.#previousTotals = totals
      return totals
    })
  }

  /**
   * Explains a timeout: locked tables cannot be read, but the holder of the lock can, as long as the
   * statement waits. A statement is aborted after two seconds.
   */
  async #readOrExplain(): Promise<Now> {
    let locks: LockFigures | undefined
    const lockCheck = setTimeout(() => {
      readLockWaits(this.#services.reads).then(
        (found) => (locks = found),
        () => undefined,
      )
    }, lockCheckMs)
    try {
      return await this.#read()
    } catch (error) {
      const waits = locks === undefined || !isDatabaseUnavailable(error) ? null : describeLockWaits(locks)
      if (waits === null) throw error
      throw new OperationError('unavailable', `PostgreSQL is slow: ${waits}. ${lockAdvice(locks!)}`, {
        retryAfterSeconds: 2,
      })
    } finally {
      clearTimeout(lockCheck)
    }
  }
}

function perMinute<Counts extends Readonly<Record<string, number>>>(
  counts: Counts,
): { readonly [Name in keyof Counts]: number } {
  const entries = Object.entries(counts).map(([name, count]) => [name, Math.round(count / 6) / 10])
  return Object.fromEntries(entries) as { readonly [Name in keyof Counts]: number }
}

interface Totals {
  readonly accepted: number
  readonly closed: number
  readonly closedPerSecond: number | null
  readonly atMs: number
  readonly readAt: Date
}

const maxRateMs = 120_000

/**
 * Sums over all accounts. Past days are combined into one row per account, so the cost does not grow with the
 * history: five rows of an account that sends every day, plus one per day with scheduled messages.
 */
async function readTotals(database: Database, previous: Totals | undefined, atMs: number): Promise<Totals> {
  const result = await database.query<{ accepted: number; closed: number }>(
    `select coalesce(sum(accepted), 0)::bigint as accepted, coalesce(sum(closed), 0)::bigint as closed
       from (select accepted, closed from ledger where folded
             union all select accepted, closed from ledger where not folded) l`,
  )
  const { accepted, closed } = result.rows[0]!
  const elapsedMs = previous === undefined ? Infinity : atMs - previous.atMs
  const closedPerSecond =
    elapsedMs > maxRateMs
      ? null
      : Math.max(0, Math.round(((closed - previous!.closed) / elapsedMs) * 10_000) / 10)
  return { accepted, closed, closedPerSecond, atMs, readAt: clock.date() }
}

interface Counts {
  readonly minute: Date
  /** Steps by share. */
  readonly waiting: Readonly<Record<string, number>>
  readonly waitingKey: string | null
  readonly parked: number
  readonly parkedSeconds: number
  readonly accepted: number
  readonly webhooks: NowFigures['webhooks']
}

/** The last full minute; counts of the current one are incomplete. */
const lastMinute = `date_trunc('minute', now()) - interval '1 minute'`

async function readCounts(database: Database): Promise<Counts> {
  const result = await database.query<Counts>(
    `select ${lastMinute} as minute,
            (select coalesce(json_object_agg(route_id, steps), '{}')
               from (select route_id, count(*) as steps
                       from (select route_id from waiting limit ${maxCountedSteps + 1}) w group by route_id) g) as waiting,
            (select msg_key from waiting order by msg_key limit 1) as "waitingKey",
            (select count(*) from (select from parked limit ${maxParked}) p) as parked,
            coalesce(extract(epoch from now() - (select parked_at from parked order by id limit 1)), 0)::float8 as "parkedSeconds",
            (select coalesce(sum(confirmed), 0)::bigint from gate_counts where minute = ${lastMinute}) as accepted,
            json_build_object(
              'enabled', (select count(*) from webhooks where enabled),
              'failing', (select count(*) from webhook_cursors c join webhooks w on w.id = c.webhook_id
                           where c.failing_since is not null and w.enabled),
              'failingLongest', (select json_build_object('id', w.id, 'account', a.client_id, 'name', a.name, 'since', c.failing_since)
                                   from webhook_cursors c join webhooks w on w.id = c.webhook_id join accounts a on a.id = w.account_id
                                  where c.failing_since is not null and w.enabled order by c.failing_since limit 1),
              'disabledByFailure', (select count(*) from webhooks where disabled_reason in ('gone', 'failing'))) as webhooks`,
  )
  return result.rows[0]!
}

async function readWorkers(database: Database, partitions: number): Promise<NowFigures['workers']> {
  const workers = await listWorkers(database)
  const live = workers.filter((worker) => worker.live)
  const owned = new Set(live.flatMap((worker) => worker.partitions))
  return {
    running: live.length,
    silent: workers.length - live.length,
    partitionsWithoutOwner: Math.max(0, partitions - owned.size),
  }
}

async function readQueues({ broker, topology }: Pick<Services, 'broker' | 'topology'>): Promise<Queue[]> {
  const depth = async (queues: readonly Parameters<typeof broker.depth>[0][]): Promise<number | null> => {
    if (!broker.canPublish) return null
    const depths = await Promise.all(queues.map((queue) => broker.depth(queue).catch(() => null)))
    return depths.includes(null) ? null : depths.reduce<number>((sum, messages) => sum + messages!, 0)
  }
  const rows = [
    ...lanes.map((lane) => ({ stage: 'accepted' as const, lane, queues: [topology.accepted[lane]] })),
    { stage: 'dispatch' as const, lane: null, queues: topology.dispatch },
    { stage: 'receipts' as const, lane: null, queues: [topology.receipts, topology.verdicts] },
    { stage: 'opt-outs' as const, lane: null, queues: [topology.optOuts] },
    { stage: 'parked' as const, lane: null, queues: [topology.parked] },
  ]
  return Promise.all(
    rows.map(async ({ stage, lane, queues }) => ({ stage, lane, messages: await depth(queues) })),
  )
}
