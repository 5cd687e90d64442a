/** A table with one row per account, for settings that differ from the defaults. */
import { inTransaction, type Queryable, type Transactional } from '../platform/database/database.ts'
import { incrementVersion } from './versions.ts'

export interface AccountTable<Settings> {
  readonly load: (database: Queryable) => Promise<Map<number, Settings>>
  readonly read: (database: Queryable, accountId: number) => Promise<Settings>
  /** Changes the given settings and keeps the others. Concurrent changes wait for each other. */
  readonly change: (
    database: Transactional,
    accountId: number,
    change: Partial<Settings>,
  ) => Promise<Settings>
}

export interface AccountTableOptions<Settings> {
  readonly table: string
  /** The row of `trust_versions` that a change increments. */
  readonly topic: string
  readonly columns: Readonly<Record<keyof Settings & string, string>>
  readonly defaults: Settings
}

export function createAccountTable<Settings extends object>(
  options: AccountTableOptions<Settings>,
): AccountTable<Settings> {
  const { table, topic, defaults } = options
  const names = Object.keys(options.columns) as (keyof Settings & string)[]
  const columns = names.map((name) => options.columns[name])
  const select = names.map((name, n) => `${columns[n]} as "${name}"`).join(', ')
  const upsert = `insert into ${table} (account_id, ${columns.join(', ')})
     values ($1, ${columns.map((_, n) => `$${n + 2}`).join(', ')})
     on conflict (account_id) do update set ${columns.map((column) => `${column} = excluded.${column}`).join(', ')}`

  async function read(database: Queryable, accountId: number): Promise<Settings> {
    const result = await database.query<Settings>(`select ${select} from ${table} where account_id = $1`, [
      accountId,
    ])
    return result.rows[0] ?? defaults
  }

  return {
    async load(database) {
      const result = await database.query<{ accountId: number }>(
        `select account_id as "accountId", ${select} from ${table}`,
      )
      return new Map(
        result.rows.map(({ accountId, ...settings }) => [accountId, settings as unknown as Settings]),
      )
    },
    read,
    change: (database, accountId, change) =>
      inTransaction(database, async (transaction) => {
        await incrementVersion(transaction, topic)
        const after = { ...(await read(transaction, accountId)), ...change }
        await transaction.query(upsert, [accountId, ...names.map((name) => after[name])])
        return after
      }),
  }
}
