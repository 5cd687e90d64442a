import type { Database } from '../../src/platform/database/database.ts'

export class Crash extends Error {
  override readonly name = 'Crash'
}

export interface CrashingDatabase {
  readonly database: Database
  /** Whether a transaction was committed before the crash. */
  readonly committed: boolean
}

/**
 * Simulates a process that crashes instead of executing a statement after `statements` others. Open
 * transactions are rolled back; if the statement is a commit, it is executed before the crash.
 */
export function crashAfter(database: Database, statements: number): CrashingDatabase {
  let left = statements
  let committed = false
  type Query = (...args: unknown[]) => Promise<unknown>
  const guard = (query: Query): Query => {
    return async (...args) => {
      if (args[0] === 'rollback') return query(...args)
      const isLast = left === 0
      if (left-- > 0 || (isLast && args[0] === 'commit')) {
        const response = await query(...args)
        // PostgreSQL rolls back at the commit of a failed transaction.
        if ((response as { command?: string }).command === 'COMMIT') committed = true
        if (!isLast) return response
      }
      throw new Crash('the process crashed')
    }
  }
  const pool = Object.create(database) as Database
  const assign = (target: object, query: Query): void => void Object.assign(target, { query })
  assign(pool, guard(database.query.bind(database)))
  const connect = async (): Promise<unknown> => {
    const client = await database.connect()
    const dying = Object.create(client) as typeof client
    assign(dying, guard(client.query.bind(client)))
    return Object.assign(dying, { release: (error?: Error) => client.release(error) })
  }
  Object.assign(pool, { connect })
  return {
    database: pool,
    get committed() {
      return committed
    },
  }
}
