/** SQL of number_ranges, its only writer. An import replaces the whole table in one transaction. */
import { columns, queryBulk } from '../../platform/database/bulk.ts'
import { inTransaction, type Queryable, type Transactional } from '../../platform/database/database.ts'
import type { NumberRange } from './numbering.ts'

export async function replaceRanges(database: Transactional, ranges: readonly NumberRange[]): Promise<void> {
  await inTransaction(database, async (transaction) => {
    // Prevents concurrent route changes: a cache would load the old ranges with the new route and not reload them.
    await transaction.query('lock table routes in share row exclusive mode')
    await transaction.query('delete from number_ranges')
    await queryBulk(transaction, {
      text: 'insert into number_ranges (prefix, carrier) select * from unnest($1::text[], $2::text[])',
      columns: columns(ranges, (range) => [range.prefix, range.carrier]),
    })
    // Caches poll the version of the routes; polling a table of thousands of ranges every second would cost more.
    await transaction.query('update routes set updated_at = now()')
  })
}

export async function loadRanges(database: Queryable): Promise<NumberRange[]> {
  const result = await database.query<NumberRange>('select prefix, carrier from number_ranges')
  return result.rows
}
