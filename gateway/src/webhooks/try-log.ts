/** The last tries of each webhook, shown to its owner. Bounded, and written about once a second, not per push. */
import { columns, queryBulk } from '../platform/bulk.ts'
import type { Queryable } from '../platform/database.ts'

export const triesKept = 50

export interface Try {
  readonly at: string
  readonly eventId: string
  readonly httpStatus: number | null
  readonly ms: number
  /** Empty when acknowledged. */
  readonly error: string
}

/** Newest last. */
export class TryLog {
  #tries: Try[]
  #changed = false

  constructor(tries: readonly Try[]) {
    this.#tries = [...tries]
  }

  add(entry: Try): void {
    this.#tries.push(entry)
    // Trimmed at twice the size, not on every push.
    if (this.#tries.length > triesKept * 2) this.#tries = this.#tries.slice(-triesKept)
    this.#changed = true
  }

  /** The tries to write; null when there are no new ones. */
  take(): readonly Try[] | null {
    if (!this.#changed) return null
    this.#changed = false
    return this.#tries.slice(-triesKept)
  }
}

export async function writeTries(
  database: Queryable,
  logs: readonly { readonly webhookId: string; readonly tries: readonly Try[] }[],
): Promise<void> {
  await queryBulk(database, {
    name: 'write-webhook-logs',
    text: `insert into webhook_logs (webhook_id, tries)
           select l.id, l.tries from unnest($1::text[], $2::json[]) as l (id, tries) join webhooks w on w.id = l.id
           on conflict (webhook_id) do update set tries = excluded.tries`,
    columns: columns(logs, ({ webhookId, tries }) => [webhookId, JSON.stringify(tries)]),
  })
}

/** Newest last. */
export async function readTries(database: Queryable, webhookId: string): Promise<Try[]> {
  const result = await database.query<{ tries: Try[] }>(
    'select tries from webhook_logs where webhook_id = $1',
    [webhookId],
  )
  return result.rows[0]?.tries ?? []
}
