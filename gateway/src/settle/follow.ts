/** The next steps of flows, handed to their routes after the transaction that started them. */
import { findForgotten, readOwed, removeOwed } from '../messages/releases.ts'
import type { Database } from '../platform/database.ts'
import { releaseStep, type ReleaseContext } from '../routes/release.ts'

export interface Follow {
  /** Deadline of a step that states none. */
  readonly stepTtlSeconds: number
  /** Resolves when the jobs are in their routes' queues. */
  release(keys: readonly string[]): Promise<void>
  /** What a process that died still owed. */
  releaseForgotten(): Promise<void>
}

const forgottenMs = 3_000
const batchSize = 500

export function createFollow(database: Database, context: ReleaseContext, stepTtlSeconds: number): Follow {
  async function release(keys: readonly string[]): Promise<void> {
    if (keys.length === 0) return
    const jobs = await readOwed(database, keys)
    await Promise.all(jobs.map((job) => releaseStep(context, job)))
    await removeOwed(database, keys, jobs)
  }
  return {
    stepTtlSeconds,
    release,
    async releaseForgotten() {
      await release(await findForgotten(database, new Date(Date.now() - forgottenMs), batchSize))
    },
  }
}
