/**
 * `npm run suite -- deployments [attacks faults production chart] [--short] [--json] [--keep]`: installs
 * the gateway as the pages describe, with their commands, and proves that it sends, survives faults, upgrades, and
 * withstands attacks. `--short` runs the attacks and kills one container; `--json` prints the results as JSON;
 * `--keep` leaves the installation running after a failure.
 */
import { parseArgs } from 'node:util'
import { print } from '../engines/print.ts'
import { testChart } from './chart/chart-steps.ts'
import { attack, attacks, findCanaries, reachInside } from './deployments/attack-steps.ts'
import { openComposeTarget } from './deployments/compose-target.ts'
import { openDocker } from './deployments/docker.ts'
import { backUpAndRestore, fillDisk, kill, killAll, stopAndStart } from './deployments/fault-steps.ts'
import { Installation } from './deployments/installation.ts'
import { changeRelease, loseBroker, losePrimary, startProduction } from './deployments/production-steps.ts'
import { Report } from '../engines/step-report.ts'
import { checkPorts, checkRights, raiseCap, signIn, start, useTls } from './deployments/start-steps.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { short: { type: 'boolean' }, json: { type: 'boolean' }, keep: { type: 'boolean' } },
})
const isShort = values.short === true
const parts = isShort ? ['attacks'] : ['attacks', 'faults', 'production', 'chart']
const unknown = positionals.find((part) => !parts.includes(part))
if (unknown !== undefined) throw new Error(`part '${unknown}' not found; choose from ${parts.join(', ')}`)
const chosen = positionals.length > 0 ? positionals : parts

const report = new Report()
const docker = await openDocker()
const installation = new Installation(docker)
const step = (name: string, run: (given: Installation) => Promise<string>): Promise<boolean> =>
  report.step(name, () => run(installation))

async function resistAttacks(): Promise<void> {
  await step('rights', checkRights)
  await step('published ports', checkPorts)
  const target = await openComposeTarget(installation, docker.volumes)
  for (const name of attacks) await step(`attack: ${name}`, () => attack(target, name))
  await step('attack: webhooks that lead inside', () => reachInside(target))
  await step('canaries', () => findCanaries(target))
}

async function surviveFaults(): Promise<void> {
  for (const { name, service, state } of await installation.services())
    if (state === 'running' && service !== 'simulator')
      await step(`kill ${name}`, () => kill(installation, name))
  if (docker.volumes !== null) await step('full disk', () => fillDisk(installation, docker.volumes!))
  await step('stop and start', stopAndStart)
  await step('all containers killed', killAll)
  await step('back up and restore', backUpAndRestore)
}

async function runProduction(): Promise<void> {
  if (!(await step('production: start', startProduction))) return
  await step('production: upgrade under load', () => changeRelease(installation, 'up'))
  await step('production: roll back under load', () => changeRelease(installation, 'back'))
  await step('production: broker node lost', loseBroker)
  await step('production: primary lost', losePrimary)
  await step('production: all containers killed', killAll)
}

try {
  if (await start(report, installation)) {
    if (chosen.includes('attacks')) await resistAttacks()
    if (isShort) await step('kill rabbitmq', () => kill(installation, 'postern-rabbitmq-1'))
    else {
      await step('sign in to the console', signIn)
      await step('TLS', useTls)
      await step('cap of the account', raiseCap)
    }
    if (chosen.includes('faults')) await surviveFaults()
    if (chosen.includes('production')) await runProduction()
    if (chosen.includes('chart')) {
      // Both at once are too much for a small machine.
      await installation.compose('stop')
      await testChart(report, docker)
    }
  }
} finally {
  if (values.keep === true && report.failed > 0) print(`kept: ${installation.directory}`)
  else {
    await installation.remove()
    await docker.stop()
  }
}
if (values.json === true) process.stdout.write(`${JSON.stringify(report.rows, null, 2)}\n`)
print(`${report.rows.length - report.failed} passed, ${report.failed} failed`)
process.exitCode = report.failed > 0 ? 1 : 0
