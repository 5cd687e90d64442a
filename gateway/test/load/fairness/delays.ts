/** Measures the time from the request of each message of a load to its submission to the carrier. */
import { withProgress } from '../../support/measure/progress.ts'
import { computeSpread, type Spread } from '../../support/measure/statistics.ts'
import { waitFor } from '../../support/wait.ts'
import type { TappedSubmit } from '../smpp-tap.ts'
import type { SteadyLoad } from '../steady-load.ts'

export interface Delays {
  readonly spread: Spread
  /** Time until the response of the API. */
  readonly answered: Spread
  /** Pairs of seconds since the start and milliseconds from request to submission. */
  readonly points: readonly (readonly [number, number])[]
}

/** Waits until all accepted messages have been submitted. */
export async function measureDelays(
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
    spread: computeSpread(points.map(([, delay]) => delay)),
    answered: computeSpread(accepted.map(({ sentAt, answeredAt }) => answeredAt - sentAt)),
    points,
  }
}
