/**
 * `npm run suite -- rolling`: a rolling restart of every process under load. No send may fail, and no message
 * may be lost or sent twice.
 */
import type { EnduranceInstallation } from '../endurance-installation.ts'
import { readOptions } from '../options.ts'
import { printFigures, restartInTurn } from './restart-in-turn.ts'
import { runWithInstallation } from '../run-command.ts'
import { printProgress, withProgress } from '../../support/measure/progress.ts'
import { ordinaryRecipient, SteadyLoad } from '../steady-load.ts'
import { checkLoadRun } from '../check-load-run.ts'

const options = readOptions({
  name: 'rolling',
  about: 'restarts every process in turn under load',
  figures: {
    rate: { default: 500, help: 'messages per second' },
    minutes: { default: 2, help: 'length of the run; all processes restart at least once' },
  },
})

await runWithInstallation('rolling', run)

async function run(installation: EnduranceInstallation): Promise<string[]> {
  const { balancer, poller } = installation
  const wrong: string[] = []
  const load = new SteadyLoad({
    use: (call) => balancer.use(call),
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
    wrong.push(...(await checkLoadRun(installation, load)))
    printFigures(installation, load, [began, ended])
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
  let restarts = 0
  do {
    wrong.push(...(await restartInTurn([...apis, ...workers], submitTimes)))
    restarts += apis.length + workers.length
  } while (performance.now() < until)
  return restarts
}
