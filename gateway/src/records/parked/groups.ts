/** Parked jobs in groups, and the numbers of the jobs of a group, for operators who decide on many at once. */
import type { Queryable } from '../../platform/database.ts'
import { parkedConditions } from './queries.ts'
import type { ParkedStage } from './read.ts'

export interface ParkedGroup {
  readonly stage: ParkedStage
  readonly reason: string | null
  readonly jobs: number
  /** The highest number of times that one of them was parked. */
  readonly times: number
  readonly oldestAt: Date
  readonly newestAt: Date
  /** Number of the newest job. */
  readonly lastId: number
}

export interface ParkedGroups {
  readonly groups: readonly ParkedGroup[]
  readonly counted: number
  /** There are more jobs than were counted, or more groups than are returned. */
  readonly more: boolean
}

const maxCounted = 50_000
const maxGroups = 100

/** The largest group first, of the jobs that were parked first. */
export async function readParkedGroups(database: Queryable): Promise<ParkedGroups> {
  const { rows } = await database.query<ParkedGroup>(
    `select stage, reason, count(*) as jobs, max(times) as times, min(parked_at) as "oldestAt",
            max(parked_at) as "newestAt", max(id) as "lastId"
       from (select id, stage, reason, times, parked_at from parked order by id limit ${maxCounted + 1}) p
      group by stage, reason order by jobs desc, "lastId" limit ${maxGroups + 1}`,
  )
  const groups = rows.slice(0, maxGroups)
  const counted = groups.reduce((sum, { jobs }) => sum + jobs, 0)
  return {
    groups,
    counted: Math.min(counted, maxCounted),
    more: rows.length > maxGroups || counted > maxCounted,
  }
}

export interface ChosenGroup {
  readonly stage?: ParkedStage | undefined
  /** Null: jobs without a reason. Undefined: whatever the reason. */
  readonly reason?: string | null | undefined
  readonly afterId: number
  /** Jobs that were parked later are not chosen. */
  readonly lastId: number
}

/** Numbers of the first jobs of the group; what no stage can read is not among them, because none can be given it. */
export async function findGroupIds(
  database: Queryable,
  { stage, reason, afterId, lastId }: ChosenGroup,
  limit: number,
): Promise<number[]> {
  const values: unknown[] = [afterId, lastId, limit]
  const conditions = [
    `id > $1 and id <= $2 and stage <> 'unreadable'`,
    ...parkedConditions({ stage, reason }, (value) => `$${values.push(value)}`),
  ]
  const { rows } = await database.query<{ id: number }>(
    `select id from parked where ${conditions.join(' and ')} order by id limit $3`,
    values,
  )
  return rows.map(({ id }) => id)
}
