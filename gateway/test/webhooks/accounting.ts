/**
 * What became of every report of a run that its webhook has not acknowledged, read from the tables in one snapshot. A report is
 * kept for a try, or given up after its whole schedule and still there by polling; anything else is a finding. Polls, and
 * changes nothing else.
 */
import type { Database } from '../../src/platform/database.ts'
import { pollReports } from '../../src/records/reports/poll.ts'
import { reportEventId } from '../../src/webhooks/body.ts'
import type { Target } from './targets.ts'

/** Behind: the cursor has not passed it. Stopped: given up before its schedule was over. */
export type Fate = 'behind' | 'retrying' | 'givenUp' | 'stopped' | 'lost'

export interface Open {
  readonly target: Target
  readonly msgKey: string
  readonly fate: Fate
  readonly tries: number | null
  readonly retryAt: Date | null
}

interface Row {
  readonly place: number
  readonly behind: boolean | null
  readonly tries: number | null
  readonly retryAt: Date | null
}

/** The tables are read before the acknowledgements are looked at, so that none falls between the two. */
export async function readOpen(
  database: Database,
  targets: readonly Target[],
  wholeTries: number,
): Promise<Open[]> {
  const open = targets.flatMap((target) =>
    [...target.written.keys()]
      .filter((msgKey) => !target.acknowledged.has(msgKey))
      .map((msgKey) => ({ target, msgKey })),
  )
  const { rows } = await database.query<Row>(
    `select k.place::integer, r.seq > c.seq as behind, d.tries, d.retry_at as "retryAt"
       from unnest($1::text[], $2::text[], $3::text[]) with ordinality as k (webhook_id, msg_key, event_id, place)
       join webhook_cursors c on c.webhook_id = k.webhook_id
       left join reports r on r.msg_key = k.msg_key and r.step = 1 and r.account_id = c.account_id
       left join webhook_deliveries d on d.webhook_id = k.webhook_id and d.event_id = k.event_id`,
    [
      open.map(({ target }) => target.webhookId),
      open.map(({ msgKey }) => msgKey),
      open.map(({ msgKey }) => reportEventId(msgKey, 1)),
    ],
  )
  return rows
    .map((row) => {
      const { tries, retryAt } = row
      return { ...open[row.place - 1]!, fate: fateOf(row, wholeTries), tries, retryAt }
    })
    .filter(({ target, msgKey }) => !target.acknowledged.has(msgKey))
}

function fateOf({ behind, tries, retryAt }: Row, wholeTries: number): Fate {
  if (behind === null) return 'lost'
  if (tries === null) return behind ? 'behind' : 'lost'
  if (retryAt !== null) return 'retrying'
  return tries >= wholeTries ? 'givenUp' : 'stopped'
}

export function countFates(open: readonly Open[]): Record<Fate, number> {
  const counts = { behind: 0, retrying: 0, givenUp: 0, stopped: 0, lost: 0 }
  for (const { fate } of open) counts[fate]++
  return counts
}

/** Those given up that polling does not give out. An account of a run has fewer reports than a batch holds. */
export async function readUnpollable(database: Database, open: readonly Open[]): Promise<Open[]> {
  const givenUp = open.filter(({ fate }) => fate === 'givenUp')
  const missing: Open[] = []
  for (const [accountId, own] of Map.groupBy(givenUp, ({ target }) => target.accountId)) {
    const { rows } = await pollReports(database, accountId, new Date())
    const keys = new Set(rows.map(({ msgKey }) => msgKey))
    missing.push(...own.filter(({ msgKey }) => !keys.has(msgKey)))
  }
  return missing
}

/** For whoever must find out why; no more than ten. */
export function describeOpen(open: readonly Open[]): string[] {
  return open.slice(0, 10).map(({ target, msgKey, fate, tries, retryAt }) => {
    const next = retryAt === null ? '' : `, next at ${retryAt.toISOString()}`
    return `${fate}: ${msgKey} of ${target.kind} webhook ${target.webhookId}, ${tries ?? 0} tries${next}`
  })
}
