/** Settings of deadlines for tests that begin without an outage and in which no receipt waits: steps end from the start on. */
import type { DeadlinesContext } from '../../src/pipeline/settle/deadlines.ts'
import { clock } from '../../src/platform/clock.ts'

export const noWait: Required<Pick<DeadlinesContext, 'graceMs' | 'settledThrough'>> = {
  graceMs: 0,
  settledThrough: () => Promise.resolve(clock.date()),
}
