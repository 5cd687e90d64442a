/**
 * Steps that are owed to a route: the next ones of flows, right after the transaction that started them, and those
 * whose time has come, whose route is gone, or whose releaser has died.
 */
import { findStranded, readWaiting } from '../messages/waiting.ts'
import { unlessLocked } from '../platform/advisory-lock.ts'
import type { Database } from '../platform/database.ts'
import { releaseWaiting, type ReleaseWaitingContext } from '../routes/release-waiting.ts'
import type { RouteTable } from '../routes/table.ts'

export interface Follow {
  /** Deadline of a step that states none. */
  readonly stepTtlSeconds: number
  /** Resolves when the steps are in their routes' queues, or wait for their turn. */
  release(keys: readonly string[]): Promise<void>
  /** What is due and no route will ask for. */
  releaseStranded(): Promise<void>
}

export interface FollowContext extends ReleaseWaitingContext {
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
    await releaseWaiting(context, await readWaiting(database, keys))
  }

  return {
    stepTtlSeconds,
    release,
    async releaseStranded() {
      // One worker at a time: two would release the same steps twice.
      await unlessLocked(database, lockKey, async (client) => {
        for (;;) {
          const served = routes.value.filter(({ enabled }) => enabled).map(({ id }) => id)
          const keys = await findStranded(client, served, new Date(), batchSize)
          await release(keys)
          if (keys.length < batchSize) return
        }
      })
    },
  }
}
