import { flushIsolated } from '../../../platform/database/isolation.ts'
import { columns, queryBulk } from '../../../platform/database/bulk.ts'
import { inTransaction, type Database, type Queryable } from '../../../platform/database/database.ts'
import { classifyError } from '../../../platform/database/transient.ts'
import type { FailedDelivery } from '../queries.ts'

export interface Progress {
  readonly webhookId: string
  readonly epoch: number
  readonly seq: number
  readonly failingSince: Date | null
  readonly failures: readonly FailedDelivery[]
  /** Deliveries that were acknowledged, or whose report has passed its retention. */
  readonly settled: readonly string[]
}

/** Producer of progress; implemented by `EndpointWorker`. */
export interface ProgressSource {
  takeProgress(): Progress | null
  markSaved(progress: Progress): void
  putBack(progress: Progress): void
}

export type SaveProgress = (sources: readonly ProgressSource[]) => Promise<void>

/**
 * Creates a function that saves the results of pushes, for many webhooks in one transaction. A success at the
 * first attempt adds no row, and a process that no longer owns a webhook changes nothing. Saves run one
 * after the other, so older progress never overwrites newer.
 */
export function createProgressSaver(database: Database): SaveProgress {
  let last: Promise<void> = Promise.resolve()
  return (sources) => {
    const saved = last.then(() => saveAll(database, sources))
    last = saved.catch(() => undefined)
    return saved
  }
}

async function saveAll(database: Database, sources: readonly ProgressSource[]): Promise<void> {
  const progressBySource = sources.flatMap((source): [ProgressSource, Progress][] => {
    const progress = source.takeProgress()
    return progress === null ? [] : [[source, progress]]
  })
  if (progressBySource.length === 0) return
  // Progress that cannot be written must not block that of other webhooks.
  const results = await flushIsolated(
    progressBySource.map(([, progress]) => progress),
    async (progress) => {
      const owned = await writeProgress(database, progress)
      return progress.map(({ webhookId }) => owned.has(webhookId))
    },
    classifyError,
  )
  progressBySource.forEach(([source, progress], index) => {
    const result = results[index]!
    if (result.status === 'rejected') source.putBack(progress)
    else if (result.value) source.markSaved(progress)
  })
  const failed = results.find((result) => result.status === 'rejected')
  if (failed !== undefined) throw failed.reason as Error
}

/** Returns the webhooks whose epoch is current; the progress of the others is discarded. */
function writeProgress(database: Database, progress: readonly Progress[]): Promise<Set<string>> {
  return inTransaction(database, async (transaction) => {
    const moved = await queryBulk<{ webhookId: string }>(transaction, {
      name: 'move-webhook-cursors',
      text: `update webhook_cursors c set seq = p.seq, failing_since = p.failing_since
               from unnest($1::text[], $2::int[], $3::bigint[], $4::timestamptz[]) as p (id, epoch, seq, failing_since)
              where c.webhook_id = p.id and c.epoch = p.epoch
              returning c.webhook_id as "webhookId"`,
      columns: columns(progress, ({ webhookId, epoch, seq, failingSince }) => [
        webhookId,
        epoch,
        seq,
        failingSince,
      ]),
    })
    const owned = new Set(moved.map(({ webhookId }) => webhookId))
    const valid = progress.filter(({ webhookId }) => owned.has(webhookId))
    await removeSettled(transaction, valid)
    await saveFailures(
      transaction,
      valid.flatMap(({ webhookId, failures }) => failures.map((failure) => ({ ...failure, webhookId }))),
    )
    return owned
  })
}

async function removeSettled(transaction: Queryable, progress: readonly Progress[]): Promise<void> {
  const settled = progress.flatMap(({ webhookId, settled: ids }) => ids.map((id) => [webhookId, id] as const))
  await queryBulk(transaction, {
    name: 'remove-settled-deliveries',
    text: `delete from webhook_deliveries d using unnest($1::text[], $2::text[]) as s (webhook_id, event_id)
            where d.webhook_id = s.webhook_id and d.event_id = s.event_id`,
    columns: columns(settled, (row) => row),
  })
}

export async function saveFailures(
  transaction: Queryable,
  failures: readonly (FailedDelivery & { readonly webhookId: string })[],
): Promise<void> {
  // One statement can change a row only once, so the last failure of a delivery since the last save counts.
  const rows = [...new Map(failures.map((row) => [`${row.webhookId} ${row.eventId}`, row])).values()]
  await queryBulk(transaction, {
    name: 'save-failed-deliveries',
    text: `insert into webhook_deliveries (webhook_id, event_id, msg_key, step, notice, created_at, tries, retry_at,
                                           failed_at, http_status, error)
           select * from unnest($1::text[], $2::text[], $3::text[], $4::smallint[], $5::json[], $6::timestamptz[],
             $7::smallint[], $8::timestamptz[], $9::timestamptz[], $10::smallint[], $11::text[])
           on conflict (webhook_id, event_id) do update set tries = excluded.tries, retry_at = excluded.retry_at,
             failed_at = excluded.failed_at, http_status = excluded.http_status, error = excluded.error`,
    columns: columns(rows, (row) => [
      row.webhookId,
      row.eventId,
      row.msgKey,
      row.step,
      row.notice === null ? null : JSON.stringify(row.notice),
      row.createdAt,
      row.tries,
      row.retryAt,
      row.failedAt,
      row.httpStatus,
      row.error,
    ]),
  })
}

/** Deletes deliveries that are too old to replay. */
export async function removeOldDeliveries(database: Queryable, olderThan: Date): Promise<void> {
  await database.query('delete from webhook_deliveries where created_at < $1', [olderThan])
}
