/** The time from the request of each message of a load to its submission at the carrier. */
import { withProgress } from '../support/progress.ts'
import { spreadOf, type Spread } from '../support/statistics.ts'
import { waitFor } from '../support/wait.ts'
import type { TappedSubmit } from './smpp-tap.ts'
import type { SteadyLoad } from './steady-load.ts'

export interface Delays {
  readonly spread: Spread
  /** Of which: until the API answered. */
  readonly answered: Spread
  /** Seconds since the start, milliseconds from request to submission. */
  readonly points: readonly (readonly [number, number])[]
}

/** Waits until all that were accepted have been submitted. */
export async function delaysOf(
  load: SteadyLoad,
  submits: readonly TappedSubmit[],
  from: number,
): Promise<Delays> {
  const accepted = load.sent.filter(({ msgKey }) => msgKey !== undefined)
  const recipients = new Set(accepted.map(({ to }) => to))
  const submitting = waitFor(
    'every message to be submitted',
    () => {
      const seen = new Map(submits.flatMap(({ at, to }) => (recipients.has(to) ? [[to, at]] : [])))
      return seen.size === recipients.size ? seen : undefined
    },
    { timeoutMs: 60_000, everyMs: 500 },
  )
  const submitted = await withProgress(submitting, () => `waiting until ${recipients.size} are submitted`)
  const points = accepted.map(({ to, sentAt }): [number, number] => [
    (sentAt - from) / 1000,
    submitted.get(to)! - sentAt,
  ])
  return {
    spread: spreadOf(points.map(([, delay]) => delay)),
    answered: spreadOf(accepted.map(({ sentAt, answeredAt }) => answeredAt - sentAt)),
    points,
  }
}
