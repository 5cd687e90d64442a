/**
 * `npm run suite -- cells [--short] [--seed N]` tests two cells behind one HAProxy with
 * deploy/cells/haproxy.cfg. The end-to-end suite must pass in both cells, and killing all processes and
 * engines of one cell must not fail requests of the other. Cell A1 has separate engines, cell B1 those of the
 * environment. Exits with 0 if there are no findings.
 */
import { checkBehaviourCoverage } from '../../e2e/expectations.ts'
import { runMessages } from '../../e2e/suite.ts'
import { startSystem, stepTtlSeconds, type E2eSystem } from '../../e2e/system.ts'
import { Haproxy } from '../../support/processes/haproxy.ts'
import { TestInstallation } from '../../support/processes/test-installation.ts'
import { printProgress, printResult } from '../../support/measure/progress.ts'
import { killCell } from './kill-cell.ts'
import { parseCellsOptions } from './options.ts'
import { OwnEngines } from './own-engines.ts'

const options = parseCellsOptions(process.argv.slice(2))
const findings: string[] = []
checkBehaviourCoverage()
const cells = ['A1', 'B1'] as const
const engines = await OwnEngines.start()
const installations = await Promise.all([
  engines.open(() => TestInstallation.open(settings('A1'))),
  TestInstallation.open(settings('B1')),
])
let proxy: Haproxy | undefined
try {
  findings.push(...(await run()))
} catch (error) {
  findings.push((error as Error).stack ?? String(error))
}
await proxy?.stop()
for (const installation of installations) {
  findings.push(...installation.unexpectedExits)
  const late = await installation.close(findings.length > 0)
  findings.push(...late.map((name) => `${name} did not stop on SIGTERM`))
}
await engines.wipe()
printResult('cells', findings)

function settings(cell: string): Readonly<Record<string, string>> {
  return {
    POSTERN_CELL: cell,
    POSTERN_PROXY_HOPS: '1',
    POSTERN_STEP_TTL_SECONDS: String(stepTtlSeconds),
    POSTERN_WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
  }
}

async function run(): Promise<string[]> {
  printProgress(`seed ${options.seed}; logs in ${installations.map(({ directory }) => directory).join(', ')}`)
  const systems = await Promise.all(installations.map((installation) => startSystem(installation)))
  const [a, b] = systems as [E2eSystem, E2eSystem]
  proxy = await Haproxy.start({ cells: { A1: [a.api], B1: [b.api] }, directory: installations[0].directory })
  for (const [index, { credentials, noPollCredentials: silent }] of systems.entries())
    for (const { clientId } of [credentials, silent])
      await proxy.command(`add map ${proxy.mapFile} ${clientId} ${cells[index]!}`)
  printProgress('two cells and the proxy are ready')

  const { url } = proxy
  const found = await Promise.all(
    systems.map((system) => runMessages({ system, url, seed: options.seed, count: options.messages })),
  )
  const wrong = found.flatMap((texts, index) => texts.map((text) => `cell ${cells[index]!}: ${text}`))
  printProgress(`end to end through the proxy: ${wrong.length} findings`)
  wrong.push(...(await killCell({ proxy, victim: a, engines, other: b }, options)))
  return wrong
}
