/** A process that crashes between two statements: open transactions are rolled back, committed ones stay. */
import type { Database } from '../../src/platform/database.ts'

export class Crash extends Error {
  override readonly name = 'Crash'
}

export interface CrashingDatabase {
  readonly database: Database
  /** Whether a transaction was committed before or by the crash. */
  readonly committed: boolean
}

/** Crashes in place of the statement after `statements`; a commit is executed before the crash. */
export function crashAfter(database: Database, statements: number): CrashingDatabase {
  let left = statements
  let committed = false
  type Query = (...args: unknown[]) => Promise<unknown>
  const guard = (query: Query): Query => {
    return async (...args) => {
      if (args[0] === 'rollback') return query(...args)
      if (left-- > 0) {
        const answer = await query(...args)
        if (args[0] === 'commit') committed = true
        return answer
      }
      if (args[0] === 'commit') {
        await query(...args)
        committed = true
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
