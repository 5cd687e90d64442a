/**
 * `npm run rolling`: a rolling restart of every process under load, as a deployment does it: SIGTERM, wait for
 * the exit, start again, wait until ready, next process. No send may fail, and no message may be lost
 * or sent twice.
 */
import { waitFor } from '../support/wait.ts'
import type { EnduranceInstallation } from './endurance-installation.ts'
import { readOptions } from './options.ts'
import { runWithInstallation } from './run-command.ts'
import { printProgress, withProgress } from '../support/progress.ts'
import { longestGap, spreadOf } from '../support/statistics.ts'
import { ordinaryRecipient, SteadyLoad } from './steady-load.ts'
import { judge } from './verdict.ts'

const options = readOptions({
  name: 'rolling',
  about: 'restarts every process in turn under load',
  figures: {
    rate: { default: 500, help: 'messages a second' },
    minutes: { default: 2, help: 'restarts all processes repeatedly for so long, at least once' },
  },
})

await runWithInstallation('rolling', run)

async function run(installation: EnduranceInstallation): Promise<string[]> {
  const { balancer, submitTimes, poller } = installation
  const wrong: string[] = []
  const load = new SteadyLoad({
    use: (ask) => balancer.use(ask),
    perSecond: options.rate,
    recipient: (index) => ordinaryRecipient('010', index),
  })
  try {
    const began = performance.now()
    const until = began + options.minutes * 60_000
    const rounds = restartAll(installation, until, wrong)
    const restarts = await withProgress(
      rounds,
      () => `${load.sent.length} sent, ${load.failures.length} failed, ${poller.counts.size} reported`,
    )
    const ended = performance.now()
    await load.stop()
    printProgress(`${restarts} restarts, ${load.sent.length} sent; waiting until all are final`)
    wrong.push(...(await judge(installation, load)))
    const answers = spreadOf(load.sent.map(({ sentAt, answeredAt }) => answeredAt - sentAt))
    const within = (moments: readonly number[]): number[] =>
      moments.filter((at) => at >= began && at <= ended)
    const rows = [
      ['sends', load.sent.length],
      ['failed', load.failures.length],
      ['sent again because the connection was refused', balancer.repeated],
      ['slowest answer', seconds(answers.max)],
      ['p99 of the answers', seconds(answers.p99)],
      ['longest stall of submissions', seconds(longestGap(within(submitTimes)))],
      ['longest stall of reports', seconds(longestGap(within(poller.moments)))],
    ]
    for (const [what, value] of rows)
      process.stdout.write(`  ${String(what).padEnd(48)}${String(value).padStart(10)}\n`)
    return wrong
  } finally {
    await load.stop()
  }
}

/** Restarts one process after another until the time is over; returns the number of restarts. */
async function restartAll(
  { apis, workers, submitTimes }: EnduranceInstallation,
  until: number,
  wrong: string[],
): Promise<number> {
  await untilFlowing(submitTimes)
  let restarts = 0
  do {
    for (const gateway of [...apis, ...workers]) {
      const from = performance.now()
      if (!(await gateway.stop())) wrong.push(`${gateway.name} did not stop on SIGTERM`)
      const stopped = performance.now()
      gateway.start()
      await gateway.untilReady(60_000)
      const ready = performance.now()
      await untilFlowing(submitTimes)
      restarts++
      const during = submitTimes.filter((at) => at >= from - 1_000)
      printProgress(
        `${gateway.name.padEnd(9)} stopped in ${seconds(stopped - from)}, ready after ${seconds(ready - stopped)}, ` +
          `longest time without a submission ${seconds(longestGap(during))}`,
      )
    }
  } while (performance.now() < until)
  return restarts
}

/** Waits for a submission after this moment. */
async function untilFlowing(moments: readonly number[]): Promise<void> {
  const since = performance.now()
  await waitFor('messages to flow', () => (moments.at(-1) ?? 0) > since, { timeoutMs: 60_000 })
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(2)} s`
}
