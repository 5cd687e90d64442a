/**
 * `npm run suite -- upgrade:rolling`: a rolling upgrade from an earlier release under load. The database is
 * migrated while the processes of the earlier release run. Then workers and APIs are replaced one by one, so
 * that both releases run side by side. No send may fail, and no message may be lost or sent twice.
 */
import { parseArgs } from 'node:util'
import { checkOutRelease } from '../../../../tools/release/checkout.ts'
import { migrateToNextRelease } from '../../support/processes/next-release.ts'
import { postern } from '../../support/processes/postern-command.ts'
import { projectRoot } from '../../support/processes/program.ts'
import { printProgress, withProgress } from '../../support/measure/progress.ts'
import { openEnduranceInstallation, type EnduranceInstallation } from '../endurance-installation.ts'
import { printFigures, restartInTurn } from './restart-in-turn.ts'
import { runWithInstallation } from '../run-command.ts'
import { SteadyLoad } from '../steady-load.ts'
import { createUpgradeRecipient, createUpgradeRequest } from './upgrade-mix.ts'
import { checkLoadRun } from '../check-load-run.ts'

const usage = `npm run suite -- upgrade:rolling [options]

  --from REV   a tag or revision of this repository (the previous release)
  --rate N     messages per second (300)
  --back       then downgrade all processes to the earlier release, and upgrade again
`

const { values } = parseArgs({
  options: {
    from: { type: 'string' },
    rate: { type: 'string', default: '300' },
    back: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})
if (values.help) {
  process.stdout.write(usage)
  process.exit(0)
}

const release = checkOutRelease(values.from)
try {
  await runWithInstallation('upgrade:rolling', run, () =>
    openEnduranceInstallation({}, {}, { earlier: release.root }),
  )
} finally {
  release.remove()
}

async function run(installation: EnduranceInstallation): Promise<string[]> {
  const { base, balancer, poller } = installation
  await base.putRoute({ id: 'sandbox', channels: ['rcs'] })
  const load = new SteadyLoad({
    use: (call) => balancer.use(call),
    perSecond: Number(values.rate),
    recipient: createUpgradeRecipient,
    request: createUpgradeRequest,
  })
  try {
    const began = performance.now()
    const wrong = await withProgress(
      upgrade(installation),
      () => `${load.sent.length} sent, ${load.failures.length} failed, ${poller.counts.size} reported`,
    )
    const ended = performance.now()
    await load.stop()
    printProgress(`${load.sent.length} sent; waiting until all are final`)
    wrong.push(...(await checkLoadRun(installation, load)))
    printFigures(installation, load, [began, ended])
    return wrong
  } finally {
    await load.stop()
  }
}

/** Upgrades in the order of the changelog: migrations, workers, APIs. */
async function upgrade({ base, workers, apis, submitTimes }: EnduranceInstallation): Promise<string[]> {
  const replace = (root: string, name: string) => {
    printProgress(`to ${name}, one process after the other`)
    // Downgrade in the opposite order: new APIs may use features that only new workers have.
    const gateways = root === projectRoot ? [...workers, ...apis] : [...apis, ...workers]
    return restartInTurn(gateways, submitTimes, (gateway) => gateway.changeRoot(root))
  }
  base.useThisRelease()
  const from = performance.now()
  await base.migrate()
  await migrateToNextRelease(base.databaseUrl)
  printProgress(`migrated beside ${release.name} in ${((performance.now() - from) / 1000).toFixed(1)} s`)
  const wrong = await replace(projectRoot, 'this release')
  if (!values.back) return wrong
  wrong.push(...(await replace(release.root, release.name)))
  wrong.push(...(await replace(projectRoot, 'this release again')))
  // Retry jobs that the earlier release did not know, such as responses that a stopping worker of this
  // release handed over.
  const retried = JSON.parse(await postern(base.environment, 'parked', 'retry', '--all', '--json')) as {
    readonly jobs: readonly unknown[]
  }
  printProgress(`${retried.jobs.length} jobs that ${release.name} had parked are retried`)
  return wrong
}
