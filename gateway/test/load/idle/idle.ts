/**
 * `npm run suite -- idle`: measures the cost of idle routes and accounts, the distribution of routes over two
 * workers, and the rate of traffic over all routes compared with one route. With `--polls`: measures the cost
 * of polls that return nothing. Exits with 1 if a target is missed.
 */
import { setTimeout as delay } from 'node:timers/promises'
import type { Gateway } from '../../support/processes/gateway.ts'
import { printProgress } from '../../support/measure/progress.ts'
import { measureCpu, processesNamed, type ProcessGroup } from '../cpu-usage.ts'
import { linkedRoutes, openIdleInstallation, type IdleInstallation } from './idle-installation.ts'
import { measurePolls } from './idle-polls.ts'
import { listIdleFigures, checkIdle, resultLine, type IdleRun } from './idle-report.ts'
import { readOptions } from '../options.ts'
import { measureTraffic } from './route-traffic.ts'
import { runCommand } from '../run-command.ts'

const options = readOptions({
  name: 'idle',
  about: 'the cost of idle routes and accounts',
  figures: {
    routes: { default: 500, help: 'SMPP routes' },
    accounts: { default: 10_000, help: 'accounts' },
    seconds: { default: 60, help: 'length of the measurement; with --polls at most 45' },
    messages: { default: 20_000, help: 'messages of each run of traffic' },
  },
  switches: {
    short: 'a small run: 20 routes, 200 accounts, 5 seconds, 2,000 messages',
    json: 'prints the figures as JSON in the last line, but not with --polls',
    polls: 'measures only polls that return nothing',
  },
})
const { routes, accounts, seconds, messages } = options.short
  ? { routes: 20, accounts: 200, seconds: 5, messages: 2_000 }
  : options

/** Time until pools, caches and new links settle and code is compiled. */
const settleMs = 20_000
/** Time until routes have moved to a new worker. */
const rebalanceMs = 5_000
const trafficRounds = 2

let result: IdleRun | undefined
await runCommand('idle', async () => {
  if (options.polls) return measurePolls(accounts, seconds)
  const installation = await openIdleInstallation(routes, accounts)
  let failed = true
  try {
    printProgress(`measuring for ${seconds} s; logs in ${installation.base.directory}`)
    const idle = await measureIdle(installation)
    for (const [name, rate] of [...idle.statements].sort(([, one], [, other]) => other - one))
      process.stdout.write(`  ${name.padEnd(48)}${rate.toFixed(2).padStart(10)} /s\n`)
    printProgress(
      `workers use ${idle.workerCpuPercent.map((percent) => percent.toFixed(1)).join(', ')} % of a core`,
    )
    const traffic = await measureRates(installation)
    printProgress('replacing a worker')
    const before = await countRoutes(installation)
    await installation.replaceWorker()
    await delay(rebalanceMs)
    result = {
      routes,
      accounts,
      ...idle,
      ...traffic,
      routesByWorker: [before, await countRoutes(installation)],
    }
    for (const [label, value] of listIdleFigures(result))
      process.stdout.write(`  ${label.padEnd(52)}${value.padStart(18)}\n`)
    const findings = [...checkIdle(result), ...installation.base.unexpectedExits]
    failed = findings.length > 0
    return findings
  } finally {
    await installation.close(failed)
  }
})
if (options.json && result !== undefined) process.stdout.write(`${resultLine(result)}\n`)

async function measureIdle(installation: IdleInstallation) {
  const { base, database, api, workers } = installation
  await delay(options.short ? rebalanceMs : settleMs)
  const transactions = async (): Promise<number> => {
    const read = await database.query<{ n: number }>(
      'select xact_commit + xact_rollback as n from pg_stat_database where datname = current_database()',
    )
    return read.rows[0]!.n
  }
  const statementsOf = async (): Promise<Map<string, number>> => {
    const total = new Map<string, number>()
    for (const gateway of [api, ...workers]) {
      for (const [labels, count] of await gateway.series('postern_database_statements_total')) {
        const name = `${gateway === api ? 'api' : 'worker'} ${/statement="([^"]*)"/.exec(labels)![1]}`
        total.set(name, (total.get(name) ?? 0) + count)
      }
    }
    return total
  }
  const began = performance.now()
  const [statementsBefore, transactionsBefore] = [await statementsOf(), await transactions()]
  const pidOf = (gateway: Gateway) => () => (gateway.pid === undefined ? [] : [gateway.pid])
  const cpuOf = await measureCpu(
    new Map([
      ...workers.map((worker): [string, ProcessGroup] => [worker.name, pidOf(worker)]),
      ['api', pidOf(api)],
      ['database', () => processesNamed(` ${base.name} `)],
      ['broker', () => processesNamed('beam.smp')],
    ]),
    seconds,
  )
  const elapsed = (performance.now() - began) / 1000
  const [statementsAfter, transactionsAfter] = [await statementsOf(), await transactions()]
  return {
    workerCpuPercent: workers.map(({ name }) => cpuOf(name)),
    apiCpuPercent: cpuOf('api'),
    databaseCpuPercent: cpuOf('database'),
    brokerCpuPercent: cpuOf('broker'),
    statements: new Map(
      [...statementsAfter].flatMap(([name, count]) => {
        const rate = (count - (statementsBefore.get(name) ?? 0)) / elapsed
        return rate === 0 ? [] : [[name, rate]]
      }),
    ),
    transactionsPerSecond: (transactionsAfter - transactionsBefore) / elapsed,
  }
}

/**
 * Measures in turns, so that other load of the machine affects both alike. The first round warms up and does
 * not count.
 */
async function measureRates(installation: IdleInstallation) {
  const allRoutes = Array.from({ length: routes }, (_, index) => index)
  const rates = { singleRate: 0, spreadRate: 0 }
  for (let round = 0; round <= trafficRounds; round++) {
    const singleRate = await measureTraffic(installation, [0], messages)
    const spreadRate = await measureTraffic(installation, allRoutes, messages)
    printProgress(
      `${singleRate.toFixed(0)} messages per second over one route, ${spreadRate.toFixed(0)} over all`,
    )
    if (round === 0) continue
    rates.singleRate += singleRate / trafficRounds
    rates.spreadRate += spreadRate / trafficRounds
  }
  return rates
}

function countRoutes({ workers }: IdleInstallation): Promise<number[]> {
  return Promise.all(workers.map(linkedRoutes))
}
