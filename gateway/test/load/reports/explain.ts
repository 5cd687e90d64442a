/** Captures the named statements that some work sends, with their execution plans. */
import type pg from 'pg'
import { inTransaction, type Database, type Queryable } from '../../../src/platform/database/database.ts'

interface Sent {
  readonly name: string
  readonly text: string
  readonly values: readonly unknown[]
}

/** Runs `explain (analyze)` for every named statement of the work and rolls everything back. */
export async function explainWork(
  database: Database,
  work: (transaction: Queryable) => Promise<unknown>,
): Promise<Map<string, string>> {
  const plans = new Map<string, string>()
  const undo = new Error('undone')
  await inTransaction(database, async (transaction) => {
    await transaction.query('savepoint before')
    const sent: Sent[] = []
    await work(recordStatements(transaction, sent))
    await transaction.query('rollback to savepoint before')
    for (const { name, text, values } of sent) {
      const plan = await transaction.query<{ 'QUERY PLAN': string }>(`explain (analyze, buffers) ${text}`, [
        ...values,
      ])
      plans.set(name, plan.rows.map((row) => row['QUERY PLAN']).join('\n'))
    }
    throw undo
  }).catch((error: unknown) => {
    if (error !== undo) throw error
  })
  return plans
}

function recordStatements(transaction: pg.PoolClient, sent: Sent[]): Queryable {
  const query = transaction.query.bind(transaction)
  return new Proxy(transaction, {
    get(target, property) {
      if (property !== 'query') return Reflect.get(target, property) as unknown
      return (statement: unknown, values?: unknown) => {
        if (typeof statement === 'object' && statement !== null && 'name' in statement)
          sent.push(statement as Sent)
        return query(statement as string, values as unknown[])
      }
    },
  })
}

/** Reports whether a plan has no scans of tables, bitmaps or sorts; the plan of a hot statement must have none. */
export const isIndexRange = (plan: string): boolean => !/Seq Scan|Bitmap|^( *-> *)?Sort /m.test(plan)
