/**
 * Reads the state of every unacknowledged report of a run from the tables in one snapshot. A report must wait
 * for an attempt, or be abandoned after its whole schedule and still be returned by polling; anything else is
 * a finding. Polls, and changes nothing else.
 */
import type { Database } from '../../../src/platform/database/database.ts'
import { pollFeed } from '../../../src/records/feed/poll.ts'
import { reportFeed } from '../../../src/records/reports/queries.ts'
import { reportEventId } from '../../../src/edge/webhooks/body.ts'
import type { WebhookTarget } from './targets.ts'

/**
 * `behind`: the cursor has not passed it. `givenUp`: abandoned after its whole schedule. `stopped`: abandoned
 * before the end of its schedule.
 */
export type OpenState = 'behind' | 'retrying' | 'givenUp' | 'stopped' | 'lost'

export interface OpenReport {
  readonly target: WebhookTarget
  readonly msgKey: string
  readonly state: OpenState
  readonly tries: number | null
  readonly retryAt: Date | null
}

interface Row {
  readonly ordinal: number
  readonly behind: boolean | null
  readonly tries: number | null
  readonly retryAt: Date | null
}

/** Checks the acknowledgements again after it has read the tables: a report may be acknowledged in the meantime. */
export async function readOpen(
  database: Database,
  targets: readonly WebhookTarget[],
  wholeTries: number,
): Promise<OpenReport[]> {
  const open = targets.flatMap((target) =>
    [...target.written.keys()]
      .filter((msgKey) => !target.acknowledged.has(msgKey))
      .map((msgKey) => ({ target, msgKey })),
  )
  const { rows } = await database.query<Row>(
    `select k.ordinal::integer, r.seq > c.seq as behind, d.tries, d.retry_at as "retryAt"
       from unnest($1::text[], $2::text[], $3::text[]) with ordinality as k (webhook_id, msg_key, event_id, ordinal)
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
      return { ...open[row.ordinal - 1]!, state: stateOf(row, wholeTries), tries, retryAt }
    })
    .filter(({ target, msgKey }) => !target.acknowledged.has(msgKey))
}

function stateOf({ behind, tries, retryAt }: Row, wholeTries: number): OpenState {
  if (behind === null) return 'lost'
  if (tries === null) return behind ? 'behind' : 'lost'
  if (retryAt !== null) return 'retrying'
  return tries >= wholeTries ? 'givenUp' : 'stopped'
}

export function countStates(open: readonly OpenReport[]): Record<OpenState, number> {
  const counts = { behind: 0, retrying: 0, givenUp: 0, stopped: 0, lost: 0 }
  for (const { state } of open) counts[state]++
  return counts
}

/**
 * Returns abandoned reports that polling does not return. An account of a run has fewer of them than a batch.
 */
export async function readUnpollable(database: Database, open: readonly OpenReport[]): Promise<OpenReport[]> {
  const givenUp = open.filter(({ state }) => state === 'givenUp')
  const missing: OpenReport[] = []
  for (const [accountId, ofAccount] of Map.groupBy(givenUp, ({ target }) => target.accountId)) {
    const { rows } = await pollFeed(database, reportFeed, accountId)
    const keys = new Set(rows.map(({ msgKey }) => msgKey))
    missing.push(...ofAccount.filter(({ msgKey }) => !keys.has(msgKey)))
  }
  return missing
}

/** Describes at most ten reports, for the analysis of a failed run. */
export function describeOpen(open: readonly OpenReport[]): string[] {
  return open.slice(0, 10).map(({ target, msgKey, state, tries, retryAt }) => {
    const next = retryAt === null ? '' : `, next at ${retryAt.toISOString()}`
    return `${state}: ${msgKey} of ${target.kind} webhook ${target.webhookId}, ${tries ?? 0} tries${next}`
  })
}
