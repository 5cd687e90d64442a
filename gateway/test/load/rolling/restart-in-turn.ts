/**
 * Restarts processes one after the other under load, like a deployment: SIGTERM, wait for the exit, start
 * again, wait until ready and until messages flow, next process.
 */
import type { Gateway } from '../../support/processes/gateway.ts'
import { printProgress } from '../../support/measure/progress.ts'
import { longestGap, computeSpread } from '../../support/measure/statistics.ts'
import { waitFor } from '../../support/wait.ts'
import type { EnduranceInstallation } from '../endurance-installation.ts'
import type { SteadyLoad } from '../steady-load.ts'

/** Returns the findings. `beforeStart` runs while the process is stopped. */
export async function restartInTurn(
  gateways: readonly Gateway[],
  submitTimes: readonly number[],
  beforeStart: (gateway: Gateway) => void = () => undefined,
): Promise<string[]> {
  const wrong: string[] = []
  for (const gateway of gateways) {
    await untilFlowing(submitTimes)
    const from = performance.now()
    if (!(await gateway.stop())) wrong.push(`${gateway.name} did not stop on SIGTERM`)
    const stopped = performance.now()
    beforeStart(gateway)
    gateway.start()
    await gateway.untilReady(60_000)
    const ready = performance.now()
    await untilFlowing(submitTimes)
    const during = submitTimes.filter((at) => at >= from - 1_000)
    printProgress(
      `${gateway.name.padEnd(9)} stopped in ${seconds(stopped - from)}, ready after ${seconds(ready - stopped)}, ` +
        `longest time without a submission ${seconds(longestGap(during))}`,
    )
  }
  return wrong
}

/** Waits for a submission after this moment. */
async function untilFlowing(moments: readonly number[]): Promise<void> {
  const since = performance.now()
  await waitFor('messages to flow', () => (moments.at(-1) ?? 0) > since, { timeoutMs: 60_000 })
}

/** Prints the figures of all sends, and the longest stalls between two moments. */
export function printFigures(
  { balancer, submitTimes, poller }: EnduranceInstallation,
  { sent, failures }: SteadyLoad,
  [began, ended]: readonly [number, number],
): void {
  const responses = computeSpread(sent.map(({ sentAt, answeredAt }) => answeredAt - sentAt))
  const within = (moments: readonly number[]): number[] => moments.filter((at) => at >= began && at <= ended)
  const rows = [
    ['sends', sent.length],
    ['failed', failures.length],
    ['retried because the connection was refused', balancer.repeated],
    ['slowest response', seconds(responses.max)],
    ['p99 of the responses', seconds(responses.p99)],
    ['longest stall of submissions', seconds(longestGap(within(submitTimes)))],
    ['longest stall of reports', seconds(longestGap(within(poller.moments)))],
  ]
  for (const [label, value] of rows)
    process.stdout.write(`  ${String(label).padEnd(48)}${String(value).padStart(10)}\n`)
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(2)} s`
}
