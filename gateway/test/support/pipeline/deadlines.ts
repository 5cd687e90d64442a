/**
 * Deadline settings without the wait after a start or an outage, and with every receipt settled, so that overdue steps expire
 * immediately.
 */
import type { DeadlinesContext } from '../../../src/pipeline/settle/deadlines.ts'
import { clock } from '../../../src/platform/time/clock.ts'

export const immediateDeadlines: Required<Pick<DeadlinesContext, 'graceMs' | 'settledThrough'>> = {
  graceMs: 0,
  settledThrough: () => Promise.resolve(clock.date()),
}
