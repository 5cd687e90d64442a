import { columns, queryBulk } from '../../../platform/database/bulk.ts'
import type { Queryable } from '../../../platform/database/database.ts'

export const maxLoggedAttempts = 50

export interface PushAttempt {
  readonly at: string
  readonly eventId: string
  readonly httpStatus: number | null
  readonly ms: number
  /** Empty if acknowledged. */
  readonly error: string
}

/**
 * Last attempts of a webhook, newest last, shown to its owner. Limited in size, and written about once per
 * second, not per push.
 */
export class AttemptLog {
  #tries: PushAttempt[]
  #changed = false

  constructor(tries: readonly PushAttempt[]) {
    this.#tries = [...tries]
  }

  add(entry: PushAttempt): void {
    this.#tries.push(entry)
    // Trim at twice the size, not on every push.
    if (this.#tries.length > maxLoggedAttempts * 2) this.#tries = this.#tries.slice(-maxLoggedAttempts)
    this.#changed = true
  }

  /** Returns the attempts to write, or null if there are no new ones. */
  take(): readonly PushAttempt[] | null {
    if (!this.#changed) return null
    this.#changed = false
    return this.#tries.slice(-maxLoggedAttempts)
  }
}

export async function writeAttemptLogs(
  database: Queryable,
  logs: readonly { readonly webhookId: string; readonly tries: readonly PushAttempt[] }[],
): Promise<void> {
  await queryBulk(database, {
    name: 'write-webhook-logs',
    text: `insert into webhook_logs (webhook_id, tries)
           select l.id, l.tries from unnest($1::text[], $2::json[]) as l (id, tries) join webhooks w on w.id = l.id
           on conflict (webhook_id) do update set tries = excluded.tries`,
    columns: columns(logs, ({ webhookId, tries }) => [webhookId, JSON.stringify(tries)]),
  })
}

/** Returns the stored attempts, newest last. */
export async function readAttemptLog(database: Queryable, webhookId: string): Promise<PushAttempt[]> {
  const result = await database.query<{ tries: PushAttempt[] }>(
    'select tries from webhook_logs where webhook_id = $1',
    [webhookId],
  )
  return result.rows[0]?.tries ?? []
}
