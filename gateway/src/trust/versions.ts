/** SQL of trust_versions, its only writer: which groups of rules have changed. */
import type { Queryable } from '../platform/database.ts'

/** Of all groups; one statement per second and process. */
export async function readVersions(database: Queryable): Promise<Map<string, string>> {
  const result = await database.query<{ topic: string; version: string }>({
    name: 'read-trust-versions',
    text: 'select topic, version::text from trust_versions order by topic',
  })
  return new Map(result.rows.map(({ topic, version }) => [topic, version]))
}

/**
 * Called first by every transaction that changes the tables of a group. It locks the row until the transaction ends: changes of a group
 * commit in the order of their versions, and a process that reads a version reads every change up to it.
 */
export async function raiseVersion(transaction: Queryable, topic: string): Promise<string> {
  const result = await transaction.query<{ version: string }>(
    `insert into trust_versions (topic) values ($1)
     on conflict (topic) do update set version = trust_versions.version + 1 returning version::text`,
    [topic],
  )
  return result.rows[0]!.version
}
