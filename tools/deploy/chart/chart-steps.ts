/** The steps of the chart: install by its page, rights, attacks, a killed pod, an upgrade and a rollback. */
import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { fetch } from 'undici'
import {
  searchBroker,
  searchDatabase,
  searchLogs,
  searchRedis,
} from '../../../gateway/test/security/search-stores.ts'
import { projectRoot } from '../../engines/paths.ts'
import { waitForCondition } from '../../engines/wait-for-condition.ts'
import { nextMigration } from '../../../gateway/test/support/processes/next-migration.ts'
import type { Docker } from '../deployments/docker.ts'
import type { Report } from '../../engines/step-report.ts'
import { Traffic } from '../deployments/traffic.ts'
import { api, ChartInstallation, port } from './installation.ts'
import { podman } from './podman.ts'

const execute = promisify(execFile)

/** What podman does not run, for the output of the suite and the page. */
const leftOut =
  'left out: Kubernetes itself with its Services, network policies, autoscalers, disruption budgets, Pod Security, probes and fsGroup'

/** Attacks that need no settings of their own. */
const attacks = ['foreign-keys', 'login-flood', 'unread-answers', 'terminal-escapes']

export async function testChart(report: Report, docker: Docker): Promise<void> {
  const chart = new ChartInstallation((...args) => docker.run(...args), docker.environment)
  const step = (name: string, run: () => string | Promise<string>): Promise<boolean> =>
    report.step(`chart: ${name}`, () => Promise.resolve().then(run))
  try {
    if (!(await step('engines', () => chart.startEngines()))) return
    if (!(await step('install to the first report', () => install(chart)))) return
    await step('rights', () => checkRights(chart))
    await step('webhooks that lead inside', () => reachInside(chart))
    for (const name of attacks) await step(`attack ${name}`, () => attack(chart, name))
    await step('canaries', () => findCanaries(chart))
    for (const name of chart.containers())
      await step(`kill ${name}`, () => underLoad(chart, () => kill(name)))
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
  const headers = { authorization: `Bearer ${chart.key}` }
  const isReported = await waitForCondition(30_000, async () => {
    const text = await (await fetch(`${api}/v1/report/polling`, { headers })).text()
    const id = /"reportId":"(\w+)"/.exec(text)?.[1]
    if (id === undefined || !text.includes('"reportCode":"10000"')) return false
    return (await fetch(`${api}/v1/report/polling/${id}`, { method: 'DELETE', headers })).ok
  })
  if (!isReported) throw new Error('no report within 30 s')
  const seconds = Math.round((performance.now() - from) / 1000)
  return `${chart.commands} commands and ${seconds} s from a checkout to the first report`
}

/** Users of the database, and what each process could do if it were taken over. */
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

/** A webhook must not reach the engines, other pods, this machine or the metadata of a cloud. */
async function reachInside(chart: ChartInstallation): Promise<string> {
  const hosts = [
    'database:5432',
    'broker:5672',
    'valkey:6379',
    'localhost:9090',
    '169.254.169.254',
    '10.96.0.1',
  ]
  hosts.push(...['database', 'broker', 'valkey'].map(addressOfEngine), '[::1]:9090', '0.0.0.0:9090')
  const headers = { authorization: `Bearer ${chart.key}`, 'content-type': 'application/json' }
  let refused = 0
  for (const host of hosts) {
    const url = `https://${host}/`
    const made = await fetch(`${api}/v1/webhook`, { method: 'POST', headers, body: JSON.stringify({ url }) })
    const { data } = (await made.json()) as { data?: { webhookId: string } }
    if (data === undefined) {
      refused += 1
      continue
    }
    const webhook = `${api}/v1/webhook/${data.webhookId}`
    const result = await (await fetch(`${webhook}/test`, { method: 'POST', headers })).text()
    await fetch(webhook, { method: 'DELETE', headers })
    if (!/not allowed|private|address/i.test(result)) throw new Error(`${url} was requested: ${result}`)
  }
  if (podman('logs', 'broker').includes('bad_header')) throw new Error('a webhook has reached the broker')
  return `${hosts.length} addresses inside: ${refused} refused when set, the others when used`
}

async function attack(chart: ChartInstallation, name: string): Promise<string> {
  const target = { port, pid: pidOf(chart.containers().find((one) => one.includes('-api-'))!), ...stores() }
  const environment = { POSTERN_ATTACK_TARGET: JSON.stringify(target), POSTERN_SHORT_ATTACKS: 'yes' }
  const program = join(projectRoot, `gateway/test/security/${name}.ts`)
  const { stdout } = await execute(process.execPath, [program], {
    env: { ...process.env, ...environment },
  }).catch((error: unknown) => {
    const { stdout: findings, stderr } = error as { stdout: string; stderr: string }
    throw new Error(findings + stderr)
  })
  return stdout.trim().split('\n').join('; ')
}

/** The engines, from this machine, with the rights of an operator's command. */
function stores() {
  const admin = environmentOf('postern-admin-1-a-admin')
  const password = /postgres:\/\/postern_admin:([^@]+)@/.exec(admin.POSTERN_DATABASE_URL!)![1]!
  const database = `${addressOfEngine('database')}/postern`
  return {
    databaseUrl: `postgres://postern:secret@${database}`,
    directory: mkdtempSync(join(tmpdir(), 'postern-attack-')),
    environment: {
      POSTERN_DATABASE_URL: `postgres://postern_admin:${password}@${database}`,
      POSTERN_BROKER_URLS: `amqp://postern:secret@${addressOfEngine('broker')}`,
      POSTERN_REDIS_URL: `redis://:secret@${addressOfEngine('valkey')}`,
      POSTERN_QUEUE_PREFIX: 'postern.',
      POSTERN_MASTER_KEY: 'env:MASTER_KEY',
      MASTER_KEY: admin.MASTER_KEY!,
    },
  }
}

async function findCanaries(chart: ChartInstallation): Promise<string> {
  const text = `CANARY${Date.now().toString(36)}TEXT`
  const to = `016${String(Date.now()).slice(-4)}0001`
  const headers = { authorization: `Bearer ${chart.key}`, 'content-type': 'application/json' }
  const body = JSON.stringify({ from: '0212345678', to, text })
  const sent = await (await fetch(`${api}/v1/send/sms`, { method: 'POST', headers, body })).text()
  if (!sent.includes('"A000"')) throw new Error(`not accepted: ${sent}`)
  const { databaseUrl, directory, environment } = stores()
  const shared = environmentOf('postern-admin-1-a-admin')
  const password = (url: string): string => new URL(url).password
  const secrets = [
    chart.key,
    shared.MASTER_KEY!,
    shared.POSTERN_TOKEN_SECRET!,
    ...['api', 'worker', 'admin'].map((role) =>
      password(environmentOf(`postern-${role}-1-a-${role}`).POSTERN_DATABASE_URL!),
    ),
  ]
  for (const name of chart.containers()) writeFileSync(join(directory, `${name}.log`), podman('logs', name))
  const found = [
    ...(await searchDatabase(databaseUrl, secrets)),
    ...(await searchBroker(environment, secrets)),
    ...(await searchRedis(environment, [...secrets, text, to.slice(1)])),
    ...searchLogs(directory, [...secrets, text, to.slice(1)]),
  ]
  if (found.length > 0) throw new Error(found.join('\n'))
  if ((await searchDatabase(databaseUrl, [text])).length === 0)
    throw new Error('the search does not find the text in the database, so it proves nothing')
  return `${secrets.length} secrets in no table, queue, key or log; text and number in no log`
}

/** Runs `change` under load. Returns what became of the messages. */
async function underLoad(chart: ChartInstallation, change: () => Promise<unknown>): Promise<string> {
  const traffic = new Traffic(api, chart.key)
  try {
    await pause(2_000)
    await change()
    await pause(5_000)
  } catch (error) {
    await traffic.settle(1).catch(() => undefined)
    throw error
  }
  const summary = await traffic.settle()
  return [summary, ...new Set(traffic.failures)].join('; ')
}

/** Podman starts the container again, as the kubelet does. */
async function kill(name: string): Promise<void> {
  const pid = pidOf(name)
  process.kill(pid, 'SIGKILL')
  const isBack = (): Promise<boolean> => Promise.resolve(![0, pid].includes(pidOf(name)))
  if (!(await waitForCondition(60_000, isBack))) throw new Error(`${name} was not started again within 60 s`)
}

/** The Job fails, and the pods stay as they are. */
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

function pidOf(name: string): number {
  return Number(podman('inspect', '--format', '{{.State.Pid}}', name))
}

function addressOfEngine(name: string): string {
  return podman('inspect', '--format', '{{range .NetworkSettings.Networks}}{{.IPAddress}}{{end}}', name)
}

function environmentOf(name: string): Readonly<Record<string, string>> {
  const lines = JSON.parse(podman('inspect', '--format', '{{json .Config.Env}}', name)) as string[]
  return Object.fromEntries(lines.map((line) => [line.split('=')[0]!, line.slice(line.indexOf('=') + 1)]))
}
