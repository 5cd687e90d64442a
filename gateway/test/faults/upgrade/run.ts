/**
 * `npm run suite -- upgrade [--from REV]` tests an upgrade with all processes stopped. Processes of an
 * earlier release bring messages into every state and stop, the database is migrated, and processes of this
 * release start. Every message must end exactly once with the expected result.
 */
import { parseArgs } from 'node:util'
import { checkOutRelease } from '../../../../tools/release/checkout.ts'
import { printProgress, printResult } from '../../support/measure/progress.ts'
import { prepareStates } from './prepare.ts'
import { StateSender } from './sender.ts'
import { openUpgradedInstallation, type UpgradedInstallation } from './upgraded-installation.ts'
import { verifyUpgrade } from './verify.ts'

const { values } = parseArgs({ options: { from: { type: 'string' } } })
const release = checkOutRelease(values.from)
try {
  printResult('upgrade', await run())
} finally {
  release.remove()
}

async function run(): Promise<string[]> {
  printProgress(`starting an API and a worker of ${release.name}, and a simulated carrier`)
  const installation = await openUpgradedInstallation(release.root)
  const findings: string[] = []
  try {
    findings.push(...(await upgrade(installation)))
  } catch (error) {
    findings.push((error as Error).stack ?? String(error))
  }
  findings.push(...installation.base.unexpectedExits)
  const late = await installation.close(findings.length > 0)
  return [...findings, ...late.map((name) => `${name} did not stop on SIGTERM`)]
}

async function upgrade(installation: UpgradedInstallation): Promise<string[]> {
  const { base, polled, pushed, receiver } = installation
  const sender = new StateSender(polled, pushed, base.databaseUrl)
  printProgress(`logs in ${base.directory}`)
  const prepared = await prepareStates(installation, sender)
  printProgress(
    `${sender.sent.length} messages; stopped ${release.name}, migrating and starting this release`,
  )
  await installation.upgrade()
  printProgress('started; opening the routes, retrying what is parked, accepting pushes')
  receiver.accept()
  await installation.openRoutes()
  await installation.postern('parked', 'retry', '--all')
  return verifyUpgrade(installation, sender, prepared)
}
