/** SQL of number_ranges, its only writer. The table is replaced as a whole: a numbering plan has no half. */
import { columns, queryBulk } from '../platform/bulk.ts'
import { inTransaction, type Database, type Queryable } from '../platform/database.ts'
import type { NumberRange } from './numbering.ts'

export async function replaceRanges(database: Database, ranges: readonly NumberRange[]): Promise<void> {
  await inTransaction(database, async (transaction) => {
    // No route may be saved meanwhile: its mirror would load the old ranges and never hear of the new ones.
    await transaction.query('lock table routes in share row exclusive mode')
    await transaction.query('delete from number_ranges')
    await queryBulk(transaction, {
      text: 'insert into number_ranges (prefix, carrier) select * from unnest($1::text[], $2::text[])',
      columns: columns(ranges, (range) => [range.prefix, range.carrier]),
    })
    // Mirrors watch the routes; watching a table of many thousand ranges every second would cost more.
    await transaction.query('update routes set updated_at = now()')
  })
}

export async function loadRanges(database: Queryable): Promise<NumberRange[]> {
  const result = await database.query<NumberRange>('select prefix, carrier from number_ranges')
  return result.rows
}
