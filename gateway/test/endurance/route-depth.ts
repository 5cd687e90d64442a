/**
 * The number of jobs that a route has been given and has not submitted: all messages, less those in the table `waiting`,
 * less those that passed the SMPP tap. It counts the route's queue in the broker, what its owner holds, and what is
 * not recorded yet; so it is an upper bound of the queue.
 */
import { every, type Periodic } from '../../src/platform/periodic.ts'
import { query } from '../support/processes/scratch-database.ts'
import { quietLog } from '../support/silent-log.ts'

export interface DepthMeter {
  /** Time by performance.now(), and number of jobs. */
  readonly samples: readonly (readonly [number, number])[]
  readonly deepest: number
  stop(): Promise<void>
}

const lookEveryMs = 1_000

export function measureRouteDepth(
  databaseUrl: string,
  given: () => number,
  submitted: () => number,
): DepthMeter {
  const samples: [number, number][] = []
  const periodic: Periodic = every(lookEveryMs, 'counting what waits', quietLog, async () => {
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
