/** For tests of deadlines that begin without an outage: steps end from the start on. */
import type { OutageLimits } from '../../src/pipeline/settle/outage-wait.ts'

export const noOutageWait: OutageLimits = { fromMs: 2_500, waitMs: 0, maxWaitMs: 0 }
