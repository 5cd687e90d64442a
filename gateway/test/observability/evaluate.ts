// `npm run dashboards:check`, within with-services.ts: a real Prometheus (Debian package `prometheus`) scrapes a running gateway with
// traced traffic. Every expression of the dashboards and every alert is evaluated without an error, no alert fires, and exemplars
// arrive. Prints the panels that showed nothing: they are about faults, or about what this traffic does not use.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { dashboards } from '../../tools/dashboards/dashboards.ts'
import { startCollector } from '../support/collector.ts'
import { AccountClient } from '../support/processes/account-client.ts'
import { choosePort } from '../../../scripts/services/free-ports.ts'
import { createAccount } from '../support/processes/postern-command.ts'
import { projectRoot } from '../support/processes/program.ts'
import { TestInstallation } from '../support/processes/test-installation.ts'
import { waitFor } from '../support/wait.ts'

const trafficSeconds = 20

interface Answer<Data> {
  readonly status: string
  readonly error?: string
  readonly data: Data
}

const directory = mkdtempSync(join(tmpdir(), 'postern-prometheus-'))
const collector = await startCollector()
const base = await TestInstallation.open({ POSTERN_OTLP_URL: collector.url, POSTERN_TRACE_RATIO: '1' })
const problems: string[] = []
let prometheus: ReturnType<typeof spawn> | undefined
try {
  const simulator = await base.startSimulator('smsc')
  await base.putRoute({ id: 'texts', channels: ['sms'], simulator })
  const credentials = await createAccount(base.environment, 'observed')
  const gateways = [await base.startGateway('api', 'api'), await base.startGateway('worker', 'worker')]
  await Promise.all(gateways.map((gateway) => gateway.untilReady()))
  const ask = await startPrometheus(gateways.map(({ opsPort }) => `127.0.0.1:${opsPort}`))
  await sendFor(gateways[0]!.url, credentials)
  const empty = await evaluatePanels(ask)
  await checkAlerts(ask)
  await checkTargetsAndExemplars(ask)
  const count = dashboards.flatMap(({ panels }) => panels.flatMap(({ queries }) => queries)).length
  process.stdout.write(`${count} expressions evaluated; without a value now: ${empty.join('; ') || 'none'}\n`)
} finally {
  if (prometheus !== undefined && prometheus.exitCode === null) {
    prometheus.kill('SIGTERM')
    await once(prometheus, 'exit')
  }
  await base.close(problems.length > 0)
  await collector.close()
  rmSync(directory, { recursive: true, force: true })
}
for (const problem of problems) process.stderr.write(`${problem}\n`)
process.exit(problems.length === 0 ? 0 : 1)

type Ask = <Data>(path: string, parameters?: Readonly<Record<string, string>>) => Promise<Answer<Data>>

async function startPrometheus(targets: readonly string[]): Promise<Ask> {
  const port = await choosePort()
  const config = {
    global: { scrape_interval: '1s', evaluation_interval: '1s' },
    rule_files: [join(projectRoot, 'deploy/alerts.yml')],
    scrape_configs: [{ job_name: 'postern', static_configs: [{ targets }] }],
  }
  // JSON is YAML.
  writeFileSync(join(directory, 'prometheus.yml'), JSON.stringify(config))
  prometheus = spawn(
    'prometheus',
    [
      `--config.file=${join(directory, 'prometheus.yml')}`,
      `--storage.tsdb.path=${join(directory, 'data')}`,
      `--web.listen-address=127.0.0.1:${port}`,
      '--enable-feature=exemplar-storage',
    ],
    { stdio: ['ignore', 'ignore', 'ignore'] },
  )
  prometheus.once('error', () => {
    process.stderr.write(
      'prometheus is not installed; run: apt-get install --no-install-recommends prometheus\n',
    )
  })
  const url = `http://127.0.0.1:${port}`
  await waitFor(
    'prometheus',
    () =>
      fetch(`${url}/-/ready`).then(
        ({ ok }) => ok,
        () => false,
      ),
    {
      timeoutMs: 30_000,
    },
  )
  return async (path, parameters = {}) =>
    (await (
      await fetch(`${url}/api/v1/${path}?${new URLSearchParams(parameters).toString()}`)
    ).json()) as never
}

async function sendFor(
  url: string,
  credentials: ConstructorParameters<typeof AccountClient>[1],
): Promise<void> {
  const client = new AccountClient(url, credentials)
  await waitFor('the account to be known', async () => (await client.login()).httpStatus === 200)
  const until = performance.now() + trafficSeconds * 1000
  for (let n = 0; performance.now() < until; n++) {
    const to = `0100000${String(1_000 + (n % 1_000)).padStart(4, '0')}`
    const { body } = await client.send('sms', { from: '0212345678', to, text: `message ${n}` })
    if (body.code !== 'A000') problems.push(`a send was answered ${body.code} ${body.result}`)
    await delay(20)
  }
  client.close()
}

/** Returns the panels without a value. */
async function evaluatePanels(ask: Ask): Promise<string[]> {
  const empty: string[] = []
  for (const { uid, panels } of dashboards)
    for (const { title, queries } of panels) {
      let values = 0
      for (const { expr } of queries) {
        const query = expr.replaceAll('$__rate_interval', '1m').replaceAll(/\$(cell|route)/g, '.*')
        const answer = await ask<{ result: readonly unknown[] }>('query', { query })
        if (answer.status !== 'success') problems.push(`${uid}, ${title}: ${query}: ${answer.error}`)
        else values += answer.data.result.length
      }
      if (values === 0) empty.push(title)
    }
  return empty
}

async function checkAlerts(ask: Ask): Promise<void> {
  type Rule = {
    readonly name: string
    readonly health: string
    readonly state: string
    readonly lastError?: string
  }
  const { data } = await ask<{ groups: readonly { rules: readonly Rule[] }[] }>('rules')
  const rules = data.groups.flatMap((group) => group.rules)
  for (const { name, health, state, lastError } of rules) {
    if (health !== 'ok') problems.push(`${name} cannot be evaluated: ${lastError}`)
    if (state === 'firing') problems.push(`${name} fires although nothing is wrong`)
  }
  process.stdout.write(`${rules.length} alerts evaluated\n`)
}

async function checkTargetsAndExemplars(ask: Ask): Promise<void> {
  type Target = { readonly health: string; readonly lastError: string; readonly scrapeUrl: string }
  const { data } = await ask<{ activeTargets: readonly Target[] }>('targets')
  for (const { health, lastError, scrapeUrl } of data.activeTargets)
    if (health !== 'up') problems.push(`${scrapeUrl} cannot be scraped: ${lastError}`)
  const now = Date.now() / 1000
  const range = { start: String(now - 300), end: String(now + 60) }
  for (const histogram of [
    'postern_accept_duration_seconds_bucket',
    'postern_submit_duration_seconds_bucket',
  ]) {
    const answer = await ask<readonly unknown[]>('query_exemplars', { query: histogram, ...range })
    if (answer.data.length === 0) problems.push(`${histogram} has no exemplars`)
  }
}
