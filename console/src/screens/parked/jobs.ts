/** Parked jobs, and what retrying many of them comes to. */
import { call, type Data } from '../../api/call.ts'
import type { Item } from '../../api/queries.ts'
import type { Choice } from './choice.ts'

export type Job = Item<'listParked'>
type Retried = Data<'retryParked'>
export type RetryResult = Retried['jobs'][number]['result']

export interface Tally {
  readonly counts: Readonly<Record<RetryResult, number>>
  readonly stoppedAt: Retried['stoppedAt']
}

const noCounts: Tally['counts'] = { retried: 0, 'parked-again': 0, ended: 0, unreadable: 0 }

/** Request by request, because the API hands over 200 at a time. `onProgress` is told how many are done. */
export async function retryChoice(
  choice: Choice,
  reason: string,
  onProgress: (done: number) => void,
): Promise<Tally> {
  let tally: Tally = { counts: noCounts, stoppedAt: null }
  let afterId = 0
  for (;;) {
    const answer = await call('retryParked', { body: { group: { ...choice, afterId }, reason } })
    tally = addTo(tally, answer)
    onProgress(totalOf(tally))
    if (!answer.more) return tally
    // None: all of these were gone meanwhile, and the next request finds those after them.
    afterId = answer.jobs.at(-1)?.id ?? afterId
  }
}

export function addTo({ counts }: Tally, { jobs, stoppedAt }: Retried): Tally {
  const next = { ...counts }
  for (const { result } of jobs) next[result] += 1
  return { counts: next, stoppedAt }
}

export const emptyTally: Tally = { counts: noCounts, stoppedAt: null }

export function totalOf({ counts }: Tally): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0)
}
