/**
 * The versions of the rule groups. The only writer of trust_versions, except for triggers, which increment the versions
 * of blocked accounts and stopped batches. The API and workers can increment only the version of opt-outs.
 */
import type { Queryable } from '../platform/database/database.ts'

/** Reads the versions of all groups, once per second and process. */
export async function readVersions(database: Queryable): Promise<Map<string, TrustVersion>> {
  const result = await database.query<TrustVersion & { topic: string }>({
    name: 'read-trust-versions',
    text: 'select topic, version::text, mark from trust_versions order by topic',
  })
  return new Map(result.rows.map(({ topic, version, mark }) => [topic, { version, mark }]))
}

export interface TrustVersion {
  /** Increases with every change, but a failover to a lagging replica can decrease it. */
  readonly version: string
  /** A random id of the change. */
  readonly mark: string
}

/**
 * Increments the version of a group. Call it first in every transaction that changes the tables of a group.
 * It locks the row until the transaction ends, so changes of a group commit in the order of their versions,
 * and a process that reads a version reads every change up to it.
 */
export async function incrementVersion(transaction: Queryable, topic: string): Promise<string> {
  const result = await transaction.query<{ version: string }>(
    `insert into trust_versions (topic) values ($1)
     on conflict (topic) do update set version = trust_versions.version + 1, mark = gen_random_uuid()
     returning version::text`,
    [topic],
  )
  return result.rows[0]!.version
}

/** Increments the version of opt-outs, through a database function that runs with the rights of the owner. */
export async function incrementSuppressionVersion(transaction: Queryable): Promise<string> {
  const result = await transaction.query<{ version: string }>(
    'select raise_suppression_version()::text as version',
  )
  return result.rows[0]!.version
}
