/** Lists of webhooks for operators: a page by id, or the worst first. */
import type { Queryable } from '../platform/database.ts'
import { selectViews, type WebhookView } from './queries.ts'

export interface WebhookFilter {
  readonly accountId?: number | undefined
  /** `failing`: enabled, and every push fails. */
  readonly state?: 'enabled' | 'failing' | 'disabled' | undefined
  readonly limit: number
}

const stateConditions = {
  enabled: ['w.enabled'],
  failing: ['w.enabled', 'c.failing_since is not null'],
  disabled: ['not w.enabled'],
} as const

/** `after`: ids after this one. */
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

/** Where a webhook stands in the list of the worst first. */
export interface TroublePosition {
  readonly rank: number
  readonly behind: number
  readonly id: string
}

export type TroubledWebhook = WebhookView & Pick<TroublePosition, 'rank'>

/** Failing; disabled by the gateway; not proved; what its owner disabled is last. */
const rank = `case when w.enabled and c.failing_since is not null then 0
                   when w.enabled then 2
                   when w.disabled_reason in ('failing', 'gone') then 1
                   when w.disabled_reason = 'unproved' then 3 else 4 end`
const behind = `greatest(coalesce(case w.events when 'reports' then h.last_seq else p.last_seq end, 0) - c.seq, 0)`

/**
 * The worst first, and of the same kind those with the most reports that were never pushed. The order is made of all webhooks, and
 * what is costly is read for the page alone. Between two pages a webhook may change its place.
 */
export async function listByTrouble(
  database: Queryable,
  { accountId, state, after, limit }: WebhookFilter & { readonly after?: TroublePosition | undefined },
): Promise<TroubledWebhook[]> {
  const values: unknown[] = [limit]
  const place = (value: unknown): string => `$${values.push(value)}`
  const conditions = [
    'true',
    ...(state === undefined ? [] : stateConditions[state]),
    ...(accountId === undefined ? [] : [`w.account_id = ${place(accountId)}`]),
  ]
  const from =
    after === undefined
      ? 'true'
      : `(rank, -behind, id) > (${place(after.rank)}::int, ${place(-after.behind)}::bigint, ${place(after.id)}::text)`
  const result = await database.query<TroubledWebhook>(
    `with ordered as (
       select * from (
         select w.id, ${rank} as rank, ${behind} as behind
           from webhooks w join webhook_cursors c on c.webhook_id = w.id
           left join report_sequences h on h.account_id = w.account_id
           left join reply_sequences p on p.account_id = w.account_id
          where ${conditions.join(' and ')}) every_one
        where ${from} order by rank, behind desc, id limit $1)
     select v.*, o.rank from ordered o
       cross join lateral (${selectViews} where w.id = o.id) v
      order by o.rank, o.behind desc, o.id`,
    values,
  )
  return result.rows
}
