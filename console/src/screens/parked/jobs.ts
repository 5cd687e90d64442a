import { call, type Data } from '../../api/call.ts'
import type { Item } from '../../api/queries.ts'
import type { RetrySelection } from './choice.ts'

export type Job = Item<'listParked'>
type Retried = Data<'retryParked'>
export type RetryResult = Retried['jobs'][number]['result']

export interface Tally {
  readonly counts: Readonly<Record<RetryResult, number>>
  readonly stoppedAt: Retried['stoppedAt']
}

const noCounts: Tally['counts'] = { retried: 0, 'parked-again': 0, ended: 0, unreadable: 0 }

/** Repeats the request, because the API retries at most 200 jobs at a time. `onProgress` receives the number of processed jobs. */
export async function retryChoice(
  choice: RetrySelection,
  reason: string,
  onProgress: (done: number) => void,
): Promise<Tally> {
  let tally: Tally = { counts: noCounts, stoppedAt: null }
  let afterId = 0
  for (;;) {
    const response = await call('retryParked', { body: { group: { ...choice, afterId }, reason } })
    tally = addToTally(tally, response)
    onProgress(countProcessed(tally))
    if (!response.more) return tally
    // `jobs` is empty if another operator retried or dropped all of them; the next request finds those that remain.
    afterId = response.jobs.at(-1)?.id ?? afterId
  }
}

export function addToTally({ counts }: Tally, { jobs, stoppedAt }: Retried): Tally {
  const next = { ...counts }
  for (const { result } of jobs) next[result] += 1
  return { counts: next, stoppedAt }
}

export const emptyTally: Tally = { counts: noCounts, stoppedAt: null }

/** Counts jobs with any result, not only retried ones. */
export function countProcessed({ counts }: Tally): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0)
}
