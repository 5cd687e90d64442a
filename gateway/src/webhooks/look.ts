/** Reads for their owner what became of the pushes of one webhook. */
import type { Queryable } from '../platform/database.ts'
import type { FailedDelivery } from './positions.ts'

const maxShown = 100

export type ShownFailure = Pick<
  FailedDelivery,
  'eventId' | 'tries' | 'retryAt' | 'failedAt' | 'httpStatus' | 'error'
>

/** The newest first. */
export async function readFailures(database: Queryable, webhookId: string): Promise<ShownFailure[]> {
  const result = await database.query<ShownFailure>(
    `select event_id as "eventId", tries, retry_at as "retryAt", failed_at as "failedAt",
            http_status as "httpStatus", error
       from webhook_deliveries where webhook_id = $1 order by failed_at desc, event_id limit ${maxShown}`,
    [webhookId],
  )
  return result.rows
}
