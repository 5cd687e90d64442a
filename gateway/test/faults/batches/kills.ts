import { setTimeout as pause } from 'node:timers/promises'
import { restartService } from '../../../../tools/engines/index.ts'
import type { Gateway } from '../../support/processes/gateway.ts'
import { printProgress, withProgress } from '../../support/measure/progress.ts'
import { createRandom, type Random } from '../../support/random.ts'
import type { BatchesInstallation } from './batches-installation.ts'
import { checkResults } from './check-batch.ts'
import type { BatchesOptions } from './options.ts'
import { splitInto, toFlow, type TestList } from './recipients.ts'
import type { Scenario, ScenarioResult } from './scenario.ts'

const killEveryMs = 5_000
/** With fewer kills, only a worker without the route is killed: no receipt is lost, so no message has to reach its deadline. */
const manyKills = 2

/** Kills workers and restarts PostgreSQL while two workers feed a batch. */
export const killsScenario: Scenario = { name: 'kills', run: runKills }

async function runKills(installation: BatchesInstallation, options: BatchesOptions): Promise<ScenarioResult> {
  const { simulator, submitted } = installation
  const client = await installation.openAccount('killed')
  const reports = installation.pollReports(client)
  const list: TestList = { prefix: '0103', parts: splitInto(2, options.killLines) }
  const flow = toFlow('Killed', options.killTtlSeconds)
  const { batchId } = await client.createFrom(`kills-${options.seed}`, list, { messageFlow: flow })
  await client.act(batchId, 'start')
  await breakThings(installation, options)
  const batch = await withProgress(
    client.untilDone(batchId, options.killLines * 20 + options.killTtlSeconds * 2_000 + 60_000),
    () => `kills: ${submitted.size} recipients reached by all scenarios`,
  )
  const findings = await checkResults(client, list, batch, {
    reports,
    checkRow({ msgKey, reportCode }, recipient) {
      const times = submitted.get(recipient)?.times ?? 0
      if (times > 1) return `${recipient} was submitted ${times} times`
      if (msgKey !== '' && times === 0 && reportCode === '10000') return `${msgKey} was never submitted`
      return undefined
    },
  })
  const doubled = await simulator.duplicates()
  findings.push(...doubled.slice(0, 5).map(({ to, count }) => `${to} was submitted ${count} times`))
  const { '10000': delivered = 0 } = batch.outcomes
  return {
    findings,
    figures: {
      lines: options.killLines,
      kills: options.kills,
      delivered,
      uncertain: batch.counts.messages - delivered,
    },
  }
}

async function breakThings(installation: BatchesInstallation, options: BatchesOptions): Promise<void> {
  const random = createRandom(options.seed)
  const { kills } = options
  for (let nth = 0; nth < kills; nth++) {
    await pause(kills < manyKills ? random.between(200, 600) : killEveryMs)
    const worker = await chooseWorker(installation.workers, random, kills >= manyKills)
    printProgress(`kills: kill -9 ${worker.name}`)
    await worker.kill()
    worker.start()
    if (nth === Math.floor(kills / 2)) {
      printProgress('kills: restart of PostgreSQL')
      await restartService('postgres')
    }
  }
  await Promise.all(installation.workers.map((worker) => worker.untilReady()))
}

async function chooseWorker(
  workers: readonly Gateway[],
  random: Random,
  anyWorker: boolean,
): Promise<Gateway> {
  if (anyWorker) return random.pick(workers)
  const links = await Promise.all(workers.map((worker) => worker.metric('postern_route_linked')))
  return workers.find((_, index) => links[index] === 0) ?? workers[0]!
}
