/**
 * How much a route has been given and not yet submitted: everything recorded, less what waits in the record, less what
 * went through the carrier's door. That is what the broker holds for the route, what its owner has in hand, and what
 * is still on its way to being recorded; so it is never less than the route's queue.
 */
import { every, type Periodic } from '../../src/platform/periodic.ts'
import { query } from '../support/processes/scratch-database.ts'
import { quietLog } from '../support/quiet.ts'

export interface DepthMeter {
  /** Jobs, with the time as performance.now() tells it. */
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
    // Read after the count it is compared with would only make the queue look shallower.
    const gone = submitted()
    const [counted] = await query<{ n: number }>(databaseUrl, 'select count(*)::int as n from waiting')
    samples.push([performance.now(), given() - counted!.n - gone])
  })
  return {
    samples,
    get deepest() {
      return Math.max(0, ...samples.map(([, depth]) => depth))
    },
    stop: () => periodic.stop(),
  }
}
