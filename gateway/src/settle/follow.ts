/**
 * Steps that are owed to a route: the next ones of flows, right after the transaction that started them, and those
 * whose time has come, whose route is gone, or whose releaser has died.
 */
import { findStranded, readWaiting, removeWaiting } from '../messages/waiting.ts'
import type { Database } from '../platform/database.ts'
import { place, type PlaceContext } from '../routes/place.ts'
import { releasePlaced, type ReleaseContext } from '../routes/release.ts'
import type { RouteTable } from '../routes/table.ts'

export interface Follow {
  /** Deadline of a step that states none. */
  readonly stepTtlSeconds: number
  /** Resolves when the steps are in their routes' queues, or wait for their turn. */
  release(keys: readonly string[]): Promise<void>
  /** What is due and no route will ask for. */
  releaseStranded(): Promise<void>
}

export interface FollowContext extends ReleaseContext, PlaceContext {
  readonly database: Database
  readonly routes: RouteTable
  readonly stepTtlSeconds: number
}

const batchSize = 500
const lockKey = 0x73747264

export function createFollow(context: FollowContext): Follow {
  const { database, routes, stepTtlSeconds } = context

  async function release(keys: readonly string[]): Promise<void> {
    if (keys.length === 0) return
    const waiting = await readWaiting(database, keys)
    const steps = waiting.flatMap(({ job }) =>
      job === null ? [] : [{ job, placement: place(context, job) }],
    )
    await releasePlaced(context, steps)
    // A step that waits on has had its row moved, and stays.
    const kept = new Set(
      steps.flatMap(({ job, placement }) => (placement.kind === 'hold' ? [job.msgKey] : [])),
    )
    await removeWaiting(
      database,
      waiting.filter(({ msgKey }) => !kept.has(msgKey)),
    )
  }

  return {
    stepTtlSeconds,
    release,
    async releaseStranded() {
      const client = await database.connect()
      try {
        // One worker at a time: two would release the same steps twice.
        const lock = await client.query<{ taken: boolean }>('select pg_try_advisory_lock($1) as taken', [
          lockKey,
        ])
        if (lock.rows[0]?.taken !== true) return
        try {
          for (;;) {
            const served = routes.value.filter(({ enabled }) => enabled).map(({ id }) => id)
            const keys = await findStranded(client, served, new Date(), batchSize)
            await release(keys)
            if (keys.length < batchSize) return
          }
        } finally {
          await client.query('select pg_advisory_unlock($1)', [lockKey])
        }
      } finally {
        client.release()
      }
    },
  }
}
