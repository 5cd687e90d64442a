/**
 * Measures how a route is shared among accounts with a backlog. Counts the submissions of each account
 * between gateway and carrier in a period at whose end every account must still have waiting messages.
 */
import { setTimeout as pause } from 'node:timers/promises'
import type { Database } from '../../../src/platform/database/database.ts'
import { insertWaitingAccount, loadBacklog } from './backlog.ts'
import { measureRouteDepth } from '../route-depth.ts'
import { openBacklogInstallation, routeId } from './backlog-installation.ts'
import { printProgress, withProgress } from '../../support/measure/progress.ts'
import { ordinaryRecipient } from '../steady-load.ts'

export interface Contender {
  readonly weight: number
  readonly waiting: number
}

export interface SharesOptions {
  readonly rate: number
  readonly seconds: number
  readonly contenders: readonly Contender[]
}

export interface Share extends Contender {
  readonly submitted: number
  /** Submissions divided by the fair share of its weight. */
  readonly ofFair: number
}

export interface SharesResult {
  readonly shares: readonly Share[]
  /** The largest deviation of a share from the fair share. */
  readonly maxDeviation: number
  readonly deepest: number
  readonly submittedPerSecond: number
  /** Accounts whose backlog was empty before the end of the period. */
  readonly exhausted: number
}

/** The first seconds after the start are not yet the steady state. */
const settleMs = 3_000

export async function measureShares(options: SharesOptions): Promise<SharesResult> {
  const installation = await openBacklogInstallation(options.rate)
  let failed = true
  try {
    const { base, database, submits } = installation
    const { contenders } = options
    const total = contenders.reduce((sum, { waiting }) => sum + waiting, 0)
    const ids: number[] = []
    await withProgress(
      loadContenders(database, contenders, ids),
      () => `${ids.length} of ${contenders.length} accounts have their messages`,
    )
    printProgress(`${total} messages of ${contenders.length} accounts wait`)
    await installation.start(['worker'])
    const depth = measureRouteDepth(
      base.databaseUrl,
      () => total,
      () => submits.length,
    )
    await pause(settleMs)
    const from = submits.length
    await withProgress(
      pause(options.seconds * 1000),
      () => `${submits.length - from} submitted in the period of ${options.seconds} s`,
    )
    const counted = submits.slice(from)
    const left = await database.query<{ id: number }>('select distinct account_id as id from waiting')
    await depth.stop()
    const waiting = new Set(left.rows.map(({ id }) => id))
    const counts = new Map<string, number>()
    for (const { to } of counted) counts.set(to.slice(0, 6), (counts.get(to.slice(0, 6)) ?? 0) + 1)
    const weights = contenders.reduce((sum, { weight }) => sum + weight, 0)
    const shares = contenders.map((contender, index): Share => {
      const submitted = counts.get(prefixOf(index)) ?? 0
      return { ...contender, submitted, ofFair: (submitted * weights) / (counted.length * contender.weight) }
    })
    failed = false
    return {
      shares,
      maxDeviation: Math.max(...shares.map(({ ofFair }) => Math.abs(ofFair - 1))),
      deepest: depth.deepest,
      submittedPerSecond: counted.length / options.seconds,
      exhausted: ids.filter((id) => !waiting.has(id)).length,
    }
  } finally {
    await installation.close(failed)
  }
}

/** Returns the first six digits of the recipients of a contender, which identify it. */
const prefixOf = (index: number): string => `010${String(index).padStart(3, '0')}`

/**
 * Fills the tables before any process starts, one account after another; `ids` grows with each finished
 * account.
 */
async function loadContenders(
  database: Database,
  contenders: readonly Contender[],
  ids: number[],
): Promise<void> {
  for (const [index, { weight, waiting }] of contenders.entries()) {
    const accountId = await insertWaitingAccount(database, `contender-${index}`, weight)
    const recipient = (n: number): string => ordinaryRecipient(prefixOf(index), n)
    await loadBacklog(database, { accountId, routeId, lane: 'normal', count: waiting, recipient })
    ids.push(accountId)
  }
}

/** Returns backlogs from `min` to `max` that grow by a constant factor. */
export function unequalLoads(count: number, min: number, max: number): Contender[] {
  return Array.from({ length: count }, (_, index) => ({
    weight: 1,
    waiting: Math.round(min * (max / min) ** (index / Math.max(1, count - 1))),
  }))
}
