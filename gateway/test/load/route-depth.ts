/**
 * Measures the jobs of a route that are not submitted yet: all messages, minus those in the table `waiting`,
 * minus those that passed the SMPP tap. Includes the route's queue in the broker, the jobs of its owner and
 * unrecorded messages, so it is an upper bound of the queue.
 */
import { every, type Periodic } from '../../src/platform/time/periodic.ts'
import { query } from '../support/processes/scratch-database.ts'
import { silentLog } from '../support/silent-log.ts'

export interface DepthMeter {
  /** Pairs of time (performance.now()) and number of jobs. */
  readonly samples: readonly (readonly [number, number])[]
  readonly deepest: number
  stop(): Promise<void>
}

const sampleEveryMs = 1_000

export function measureRouteDepth(
  databaseUrl: string,
  given: () => number,
  submitted: () => number,
): DepthMeter {
  const samples: [number, number][] = []
  const periodic: Periodic = every(sampleEveryMs, 'counting waiting messages', silentLog, async () => {
    // Read first: a later value would make the queue look shallower.
    const submittedNow = submitted()
    const [counted] = await query<{ n: number }>(databaseUrl, 'select count(*)::int as n from waiting')
    samples.push([performance.now(), given() - counted!.n - submittedNow])
  })
  return {
    samples,
    get deepest() {
      return Math.max(0, ...samples.map(([, depth]) => depth))
    },
    stop: () => periodic.stop(),
  }
}
