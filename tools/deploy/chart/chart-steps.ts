/** The steps of the chart: install by its page, rights, attacks, a killed pod, an upgrade and a rollback. */
import { readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { nextMigration } from '../../../gateway/test/support/processes/next-migration.ts'
import type { Report } from '../../engines/step-report.ts'
import { waitForCondition } from '../../engines/wait-for-condition.ts'
import { attack, attacks, findCanaries, reachInside } from '../deployments/attack-steps.ts'
import type { Docker } from '../deployments/docker.ts'
import { readReport } from '../deployments/start-steps.ts'
import { lostWithWorker, Traffic } from '../deployments/traffic.ts'
import { openChartTarget } from './chart-target.ts'
import { api, ChartInstallation } from './installation.ts'
import { pidOf, podman } from './podman.ts'

/** What podman does not run, for the output of the suite and the page. */
const leftOut =
  'left out: Kubernetes itself with its Services, network policies, autoscalers, disruption budgets, Pod Security, probes and fsGroup'

export async function testChart(report: Report, docker: Docker): Promise<void> {
  const chart = new ChartInstallation((...args) => docker.run(...args), docker.environment)
  const step = (name: string, run: () => string | Promise<string>): Promise<boolean> =>
    report.step(`chart: ${name}`, () => Promise.resolve().then(run))
  try {
    if (!(await step('engines', () => chart.startEngines()))) return
    if (!(await step('install to the first report', () => install(chart)))) return
    await step('rights', () => checkRights(chart))
    const target = openChartTarget(chart)
    for (const name of attacks) await step(`attack: ${name}`, () => attack(target, name))
    await step('attack: webhooks that lead inside', () => reachInside(target))
    await step('canaries', () => findCanaries(target))
    for (const name of chart.containers())
      await step(`kill ${name}`, () => underLoad(chart, () => kill(name), lostWithWorker))
    await step('failed migration', () => failMigration(chart))
    await step('upgrade under load', () => upgrade(chart))
    await step('roll back under load', () => underLoad(chart, () => chart.run('helm rollback postern')))
    await step('left out', () => leftOut)
  } finally {
    await chart.remove()
  }
}

async function install(chart: ChartInstallation): Promise<string> {
  const from = performance.now()
  const printed = await chart.follow('Install')
  if (!printed.includes('"code":"A000"')) throw new Error(`not accepted:\n${printed}`)
  await readReport(api, chart.key)
  const seconds = Math.round((performance.now() - from) / 1000)
  return `${chart.commands} commands and ${seconds} s from a checkout to the first report`
}

/** Checks the users of the database, and what each process could do if it were taken over. */
function checkRights(chart: ChartInstallation): string {
  const where = "from pg_stat_activity where client_addr is not null and datname = 'postern'"
  const users = chart.sql(`select usename, count(*) ${where} group by 1 order by 1`)
  const owner = users.filter((line) => !line.startsWith('postern_'))
  if (owner.length > 0) throw new Error(`processes connect as ${owner.join(', ')}`)
  for (const name of chart.containers()) {
    const status = readFileSync(`/proc/${pidOf(name)}/status`, 'utf8')
    const environment = readFileSync(`/proc/${pidOf(name)}/environ`, 'utf8')
    for (const line of [
      'CapEff:\t0000000000000000',
      'CapBnd:\t0000000000000000',
      'NoNewPrivs:\t1',
      'Uid:\t65532\t65532',
    ])
      if (!status.includes(line)) throw new Error(`${name} lacks ${line.replaceAll('\t', ' ')}`)
    if (!/Seccomp:\t2/.test(status)) throw new Error(`${name} has no filter of system calls`)
    if (environment.includes('postgres://postern:')) throw new Error(`${name} has the password of the owner`)
    if (name.includes('worker') && environment.includes('POSTERN_TOKEN_SECRET='))
      throw new Error(`${name} has the token secret`)
    const write =
      "try { require('fs').writeFileSync('/app/x', ''); console.log('written') } catch { console.log('refused') }"
    if (podman('exec', name, 'node', '-e', write) !== 'refused')
      throw new Error(`${name} can write to its program`)
  }
  return `connections by ${users.join(', ').replaceAll('|', ': ')}; ${chart.containers().length} containers read-only, without capabilities`
}

/** Runs `change` under load. Returns what happened to the messages. */
async function underLoad(
  chart: ChartInstallation,
  change: () => Promise<unknown>,
  maxUnknown = 0,
): Promise<string> {
  const traffic = new Traffic(api, chart.key)
  try {
    await pause(2_000)
    await change()
    await pause(5_000)
  } catch (error) {
    traffic.abandon()
    throw error
  }
  const summary = await traffic.settle(maxUnknown)
  return [summary, ...new Set(traffic.failures)].join('; ')
}

/** Podman starts the container again, as the kubelet does. */
async function kill(name: string): Promise<void> {
  const pid = pidOf(name)
  process.kill(pid, 'SIGKILL')
  const isBack = (): Promise<boolean> => Promise.resolve(![0, pid].includes(pidOf(name)))
  if (!(await waitForCondition(60_000, isBack))) throw new Error(`${name} was not started again within 60 s`)
}

/** Upgrades with a migration that fails, after which the pods must be unchanged. */
async function failMigration(chart: ChartInstallation): Promise<string> {
  const before = chart.containers().map(pidOf)
  const broken =
    '--set migrate.extraEnv[0].name=POSTERN_DATABASE_URL,migrate.extraEnv[0].value=postgres://nobody@database/postern'
  const failed = await chart.run(`! helm upgrade postern deploy/helm/postern --reuse-values ${broken}`)
  if (!failed.includes('the Job postern-migrate failed')) throw new Error(failed)
  if (chart.containers().map(pidOf).join() !== before.join()) throw new Error('pods were replaced')
  return 'the upgrade ends with the failed Job; every process runs on'
}

async function upgrade(chart: ChartInstallation): Promise<string> {
  chart.buildNext(nextMigration)
  const command = 'helm upgrade postern deploy/helm/postern --reuse-values --set image.tag=0.2.0'
  const summary = await underLoad(chart, () => chart.run(command))
  const [applied] = chart.sql(`select count(*) from next_release`)
  if (applied !== '0') throw new Error('the migration of the next release did not run')
  await chart.postern('parked', 'retry', '--all')
  return summary
}
