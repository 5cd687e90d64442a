/**
 * Reads which accounts wait for which routes and for how long, and which accounts send. Accounts and steps
 * are read up to a limit that is divided among them, so that the longest backlog is truncated first and hides
 * no shorter one.
 */
import type { Queryable } from '../../platform/database/database.ts'
import {
  countDueSteps,
  findUnrouted,
  findWaitingAccounts,
  type WaitingAccount,
} from '../../records/waiting/count-waiting.ts'
import type { BacklogFigures } from './cause-figures.ts'
import { maxCountedSteps, type WaitingByShare } from './read-routes.ts'

export interface BacklogRead {
  readonly backlog: BacklogFigures
  readonly waiting: WaitingByShare
}

export interface BacklogLimits {
  /** Maximum number of counted steps. */
  readonly steps: number
  /** Maximum number of accounts read, per lane of each route that they wait for. */
  readonly accounts: number
}

const defaultLimits: BacklogLimits = { steps: maxCountedSteps, accounts: 4_000 }
const maxUnrouted = 10_000
const maxAccounts = 5
const lately = `minute >= date_trunc('minute', now()) - interval '1 minute'`

interface AccountBacklog {
  readonly accountId: number
  readonly waiting: number
  readonly seconds: number
}

/**
 * Excludes steps that are not due because they are scheduled or held by a rule: they do not wait for a route.
 */
export async function readBacklog(database: Queryable, limits = defaultLimits): Promise<BacklogRead> {
  const { found, more } = await findWaitingAccounts(database, limits.accounts)
  const stepCounts = await countSteps(database, found, limits.steps)
  const unrouted = await findUnrouted(database, Math.min(maxUnrouted, limits.steps))
  const backlogs = [
    ...found.map(({ accountId, seconds }, nth) => ({ accountId, seconds, steps: stepCounts.steps[nth]! })),
    ...unrouted.accounts,
  ]
  const byAccount = Map.groupBy(backlogs, ({ accountId }) => accountId)
  const accounts = [...byAccount].map(([accountId, rows]): AccountBacklog => {
    return { accountId, waiting: sumSteps(rows), seconds: maxSeconds(rows) }
  })
  accounts.sort((left, right) => right.waiting - left.waiting || right.seconds - left.seconds)
  const isComplete = !more && !unrouted.more
  return {
    waiting: groupByShare(found, stepCounts.steps),
    backlog: {
      due: sumSteps(backlogs),
      more: more || unrouted.more || stepCounts.more,
      othersSeconds: isComplete ? tenths(maxSeconds(accounts.slice(1))) : null,
      ...(await readSenders(database, accounts)),
    },
  }
}

/**
 * Counts each backlog up to an equal part of `max`. Truncated ones are counted again, up to equal parts of what the
 * others leave.
 */
async function countSteps(
  database: Queryable,
  found: readonly WaitingAccount[],
  max: number,
): Promise<{ readonly steps: readonly number[]; readonly more: boolean }> {
  const evenLimit = Math.max(1, Math.floor(max / Math.max(1, found.length)))
  const steps = await countDueSteps(database, found, evenLimit)
  const truncated = [...steps.keys()].filter((nth) => steps[nth] === evenLimit)
  const unused = max - steps.reduce((sum, count) => sum + count, 0)
  const limit = evenLimit + Math.floor(unused / Math.max(1, truncated.length))
  if (truncated.length === 0 || limit <= evenLimit) return { steps, more: truncated.length > 0 }
  const counts = await countDueSteps(
    database,
    truncated.map((nth) => found[nth]!),
    limit,
  )
  for (const [index, nth] of truncated.entries()) steps[nth] = counts[index]!
  return { steps, more: counts.some((count) => count === limit) }
}

function groupByShare(found: readonly WaitingAccount[], steps: readonly number[]): WaitingByShare {
  const count: Record<string, number> = {}
  const seconds: Record<string, number> = {}
  for (const [nth, { shareId, seconds: oldest }] of found.entries()) {
    count[shareId] = (count[shareId] ?? 0) + steps[nth]!
    seconds[shareId] = Math.max(seconds[shareId] ?? 0, oldest)
  }
  return { count, seconds }
}

type ByShare = WaitingByShare['count']

/** Returns the greater of two counts per share: each is truncated in its own way if much waits. */
export function maxCounts(left: ByShare, right: ByShare): ByShare {
  const greater: Record<string, number> = { ...left }
  for (const [share, count] of Object.entries(right)) greater[share] = Math.max(count, left[share] ?? 0)
  return greater
}

interface SenderRow {
  readonly id: number
  readonly account: string
  readonly name: string
  readonly accepted: number
}

/**
 * Reads names of the accounts with the most waiting steps, what they send, and whether other accounts send.
 */
async function readSenders(
  database: Queryable,
  accounts: readonly AccountBacklog[],
): Promise<Pick<BacklogFigures, 'accounts' | 'othersSend'>> {
  const [largest] = accounts
  if (largest === undefined) return { accounts: [], othersSend: false }
  const busy = accounts.slice(0, maxAccounts)
  const { rows } = await database.query<{ senders: readonly SenderRow[]; othersSend: boolean }>(
    `with sent as (
       select account_id, sum(confirmed)::bigint as accepted from gate_counts
        where ${lately} and account_id = any($1::int[]) group by account_id)
     select (select coalesce(json_agg(json_build_object('id', a.id, 'account', a.client_id, 'name', a.name, 'accepted', coalesce(s.accepted, 0))), '[]')
               from accounts a left join sent s on s.account_id = a.id where a.id = any($1::int[])) as senders,
            exists (select from gate_counts where ${lately} and confirmed > 0 and account_id <> $2::int) as "othersSend"`,
    [busy.map(({ accountId }) => accountId), largest.accountId],
  )
  const { senders, othersSend } = rows[0]!
  return {
    othersSend,
    accounts: busy.map(({ accountId, waiting, seconds }) => {
      const { account = '', name = '', accepted = 0 } = senders.find(({ id }) => id === accountId) ?? {}
      return { account, name, accepted, waiting, oldestSeconds: tenths(seconds) }
    }),
  }
}

function sumSteps(rows: readonly { readonly steps: number }[]): number {
  return rows.reduce((sum, { steps }) => sum + steps, 0)
}

function maxSeconds(rows: readonly { readonly seconds: number }[]): number {
  return rows.reduce((max, { seconds }) => Math.max(max, seconds), 0)
}

function tenths(seconds: number): number {
  return Math.round(seconds * 10) / 10
}
