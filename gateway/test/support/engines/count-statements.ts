/** Wraps a database to count its statements and, per table, the rows that its transactions read. */
import type { PoolClient } from 'pg'
import type { Database } from '../../../src/platform/database/database.ts'

export interface CountedDatabase {
  readonly database: Database
  /** Number of statements so far, including begin and commit. */
  readonly statements: () => number
  /** Number of rows of the table that committed transactions have read. */
  readonly rowsRead: (table: string) => number
}

const readRows = `select relname as name, coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0) as rows
  from pg_stat_xact_user_tables`

export function countStatements(pool: Database): CountedDatabase {
  let statements = 0
  const rows = new Map<string, number>()
  const intercept = <Target extends object>(target: Target, methods: Record<string, unknown>): Target =>
    new Proxy(target, {
      get(object, name) {
        if (typeof name === 'string' && name in methods) return methods[name]
        const value: unknown = Reflect.get(object, name)
        return typeof value === 'function' ? (value.bind(object) as unknown) : value
      },
    })
  async function add(send: (text: string) => Promise<unknown>, sign: number): Promise<void> {
    const read = (await send(readRows)) as { rows: { name: string; rows: number }[] }
    for (const { name, rows: count } of read.rows) rows.set(name, (rows.get(name) ?? 0) + sign * count)
  }
  const query = (target: Database | PoolClient) => {
    const send = target.query.bind(target) as (...args: unknown[]) => Promise<unknown>
    return async (...args: unknown[]): Promise<unknown> => {
      statements++
      // The view also counts rows of earlier transactions of the session that are not published yet,
      // so those counted at `begin` are subtracted.
      if (args[0] === 'commit') await add(send, 1)
      const result = await send(...args)
      if (args[0] === 'begin') await add(send, -1)
      return result
    }
  }
  return {
    database: intercept(pool, {
      query: query(pool),
      connect: async () => {
        const client = await pool.connect()
        return intercept(client, { query: query(client) })
      },
    }),
    statements: () => statements,
    rowsRead: (table) => rows.get(table) ?? 0,
  }
}
