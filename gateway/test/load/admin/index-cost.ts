/**
 * Measures the cost of indexes on ref and recipient per message: WAL, size and time of inserting the same rows
 * without them, with B-trees and with BRIN Bloom filters.
 */
import type { Database } from '../../../src/platform/database/database.ts'

const kinds = {
  none: [],
  'B-tree': ['create index on cost using btree (ref)', 'create index on cost using btree (recipient)'],
  'BRIN bloom': [
    `create index on cost using brin (ref text_bloom_ops (n_distinct_per_range = 1000)) with (pages_per_range = 32, autosummarize = on)`,
    `create index on cost using brin (recipient text_bloom_ops (n_distinct_per_range = 1000)) with (pages_per_range = 32, autosummarize = on)`,
  ],
} as const

const rowsPerStatement = 10_000

export interface IndexCost {
  readonly kind: string
  readonly walBytesPerRow: number
  readonly microsecondsPerRow: number
  readonly indexBytesPerRow: number
}

export async function measureIndexCost(database: Database, rows: number): Promise<IndexCost[]> {
  const costs: IndexCost[] = []
  for (const [kind, indexes] of Object.entries(kinds)) {
    await database.query('drop table if exists cost')
    await database.query('create table cost (like messages including defaults)')
    await database.query('alter table cost add primary key (msg_key)')
    for (const sql of indexes) await database.query(sql)
    await database.query('checkpoint')
    let [walBytes, ms] = [0, 0]
    for (let from = 0; from < rows; from += rowsPerStatement) {
      const result = await database.query<{
        'QUERY PLAN': [{ Plan: { 'WAL Bytes': number }; 'Execution Time': number }]
      }>(
        `explain (analyze, wal, format json)
         insert into cost (msg_key, account_id, recipient, flow, ref, accepted_at)
         select '20261116' || lpad(n::text, 24, '0'), n % 10000, '010' || lpad((n::bigint * 7919 % 100000000)::text, 8, '0'),
                '[{"channel":"sms","from":"0212345678","text":"Your parcel arrives today between two and four."}]', md5(n::text), now()
           from generate_series($1::int, $2::int) n`,
        [from + 1, from + rowsPerStatement],
      )
      const [plan] = result.rows[0]!['QUERY PLAN']
      walBytes += plan.Plan['WAL Bytes']
      ms += plan['Execution Time']
    }
    await database.query('vacuum cost')
    const sizes = await database.query<{ bytes: number | null }>(
      `select sum(pg_relation_size(indexrelid))::bigint as bytes from pg_index where indrelid = 'cost'::regclass and not indisprimary`,
    )
    costs.push({
      kind,
      walBytesPerRow: Math.round(walBytes / rows),
      microsecondsPerRow: Math.round((ms * 10_000) / rows) / 10,
      indexBytesPerRow: Math.round(((sizes.rows[0]!.bytes ?? 0) / rows) * 10) / 10,
    })
  }
  await database.query('drop table cost')
  return costs
}
