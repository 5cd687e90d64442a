import type { Queryable } from '../../platform/database/database.ts'
import { selectViews, type WebhookView } from './queries.ts'

export interface WebhookFilter {
  readonly accountId?: number | undefined
  /** `failing` means enabled, with every push failing. */
  readonly state?: 'enabled' | 'failing' | 'disabled' | undefined
  readonly limit: number
}

const stateConditions = {
  enabled: ['w.enabled'],
  failing: ['w.enabled', 'c.failing_since is not null'],
  disabled: ['not w.enabled'],
} as const

/** Lists webhooks by id, starting after the id `after`. */
export async function listWebhookPage(
  database: Queryable,
  { accountId, state, after = '', limit }: WebhookFilter & { readonly after?: string | undefined },
): Promise<WebhookView[]> {
  const conditions = [
    'w.id > $1',
    ...(state === undefined ? [] : stateConditions[state]),
    ...(accountId === undefined ? [] : ['w.account_id = $3']),
  ]
  const result = await database.query<WebhookView>(
    `${selectViews} where ${conditions.join(' and ')} order by w.id limit $2`,
    [after, limit, ...(accountId === undefined ? [] : [accountId])],
  )
  return result.rows
}

/** Position of a webhook in the list by severity. */
export interface SeverityPosition {
  readonly rank: number
  readonly behind: number
  readonly id: string
}

export type RankedWebhook = WebhookView & Pick<SeverityPosition, 'rank'>

/** Order of severity: failing, disabled by the gateway, enabled, not proved, disabled by the owner. */
const rank = `case when w.enabled and c.failing_since is not null then 0
                   when w.enabled then 2
                   when w.disabled_reason in ('failing', 'gone') then 1
                   when w.disabled_reason = 'unproved' then 3 else 4 end`
const behind = `greatest(coalesce(case w.events when 'reports' then h.last_seq else p.last_seq end, 0) - c.seq, 0)`

/**
 * Lists webhooks by severity, those with the most unpushed reports first. All webhooks are sorted, but costly
 * columns are read for the page only. A webhook may change its position between two pages.
 */
export async function listBySeverity(
  database: Queryable,
  { accountId, state, after, limit }: WebhookFilter & { readonly after?: SeverityPosition | undefined },
): Promise<RankedWebhook[]> {
  const values: unknown[] = [limit]
  const addParameter = (value: unknown): string => `$${values.push(value)}`
  const conditions = [
    'true',
    ...(state === undefined ? [] : stateConditions[state]),
    ...(accountId === undefined ? [] : [`w.account_id = ${addParameter(accountId)}`]),
  ]
  const isAfter =
    after === undefined
      ? 'true'
      : `(rank, -behind, id) > (${addParameter(after.rank)}::int, ${addParameter(-after.behind)}::bigint, ${addParameter(after.id)}::text)`
  const result = await database.query<RankedWebhook>(
    `with ordered as (
       select * from (
         select w.id, ${rank} as rank, ${behind} as behind
           from webhooks w join webhook_cursors c on c.webhook_id = w.id
           left join report_sequences h on h.account_id = w.account_id
           left join reply_sequences p on p.account_id = w.account_id
          where ${conditions.join(' and ')}) unordered
        where ${isAfter} order by rank, behind desc, id limit $1)
     select v.*, o.rank from ordered o
       cross join lateral (${selectViews} where w.id = o.id) v
      order by o.rank, o.behind desc, o.id`,
    values,
  )
  return result.rows
}
