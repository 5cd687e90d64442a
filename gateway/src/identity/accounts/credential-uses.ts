/**
 * Records when and from which address each credential was last used. Requests are noted in memory and written
 * for all credentials together, at most once per minute for each.
 */
import type { Database, Queryable } from '../../platform/database/database.ts'
import { columns, queryBulk } from '../../platform/database/bulk.ts'
import { clock } from '../../platform/time/clock.ts'
import type { Log } from '../../platform/logging/log.ts'
import { every } from '../../platform/time/periodic.ts'

const writeEveryMs = 2_000
const onceInMs = 60_000

interface Use {
  readonly at: Date
  readonly address: string
}

export interface CredentialUses {
  /** Notes a use. `address` is called only if the use will be written. */
  record(credentialId: number, address: () => string): void
  stop(): Promise<void>
}

export function startCredentialUses(database: Database, log: Log): CredentialUses {
  const nextMs = new Map<number, number>()
  let pending = new Map<number, Use>()

  async function write(): Promise<void> {
    if (pending.size === 0) return
    const uses = pending
    pending = new Map()
    try {
      await saveUses(database, uses)
    } catch (error) {
      pending = new Map([...uses, ...pending])
      throw error
    }
  }

  const writing = every(writeEveryMs, 'writing the last use of credentials', log, write)
  return {
    record(credentialId, address) {
      const now = performance.now()
      if (now < (nextMs.get(credentialId) ?? 0)) return
      nextMs.set(credentialId, now + onceInMs)
      pending.set(credentialId, { at: clock.date(), address: address() })
    },
    async stop() {
      await writing.stop()
      await write().catch(() => undefined)
    },
  }
}

/** Skips a use within 55 seconds of the stored one: one write per minute across processes is enough. */
async function saveUses(database: Queryable, uses: ReadonlyMap<number, Use>): Promise<void> {
  await queryBulk(database, {
    text: `insert into credential_uses as u (credential_id, used_at, address)
           select k.id, k.at, k.address from unnest($1::int[], $2::timestamptz[], $3::text[]) as k (id, at, address)
             join credentials c on c.id = k.id
           on conflict (credential_id) do update set used_at = excluded.used_at, address = excluded.address
             where u.used_at <= excluded.used_at - interval '55 seconds'`,
    columns: columns([...uses], ([id, { at, address }]) => [id, at, address]),
  })
}

const maxRead = 50_000

/** Returns the address from which each credential was last used, latest use last. */
export async function readLastUses(database: Queryable): Promise<{ clientId: string; address: string }[]> {
  const result = await database.query<{ clientId: string; address: string }>(
    `select a.client_id as "clientId", u.address
       from credential_uses u join credentials c on c.id = u.credential_id join accounts a on a.id = c.account_id
      order by u.used_at desc limit $1`,
    [maxRead],
  )
  return result.rows.reverse()
}
