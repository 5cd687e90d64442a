// `npm run suite -- dashboards`, run by with-services.ts: a real Prometheus (Debian package `prometheus`)
// scrapes a running gateway with traced traffic. Every expression of the dashboards and every alert evaluates
// without an error, no alert fires, and exemplars arrive. Prints the panels without values, which show faults
// or features that this traffic does not use.

import { setTimeout as delay } from 'node:timers/promises'
import { dashboards } from '../../../tools/dashboards/dashboards.ts'
import { startCollector } from '../../support/collector.ts'
import { AccountClient } from '../../support/processes/account-client.ts'
import { createAccount } from '../../support/processes/postern-command.ts'
import { startPrometheus, type Prometheus } from '../../support/processes/prometheus.ts'
import { TestInstallation } from '../../support/processes/test-installation.ts'
import { waitFor } from '../../support/wait.ts'

const trafficSeconds = 20

const collector = await startCollector()
const base = await TestInstallation.open({ POSTERN_OTLP_URL: collector.url, POSTERN_TRACE_RATIO: '1' })
const problems: string[] = []
let prometheus: Prometheus | undefined
try {
  const simulator = await base.startSimulator('smsc')
  await base.putRoute({ id: 'texts', channels: ['sms'], simulator })
  const credentials = await createAccount(base.environment, 'observed')
  const gateways = [await base.startGateway('api', 'api'), await base.startGateway('worker', 'worker')]
  await Promise.all(gateways.map((gateway) => gateway.untilReady()))
  const targets = gateways.map(({ opsPort }) => `127.0.0.1:${opsPort}`)
  prometheus = await startPrometheus([{ job_name: 'postern', static_configs: [{ targets }] }])
  await sendFor(gateways[0]!.url, credentials)
  const empty = await evaluatePanels(prometheus)
  await checkAlerts(prometheus)
  await checkTargetsAndExemplars(prometheus)
  const count = dashboards.flatMap(({ panels }) => panels.flatMap(({ queries }) => queries)).length
  process.stdout.write(`${count} expressions evaluated; without a value: ${empty.join('; ') || 'none'}\n`)
} finally {
  await prometheus?.stop()
  await base.close(problems.length > 0)
  await collector.close()
}
for (const problem of problems) process.stderr.write(`${problem}\n`)
process.exit(problems.length === 0 ? 0 : 1)

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
    if (body.code !== 'A000') problems.push(`unexpected send response ${body.code} ${body.result}`)
    await delay(20)
  }
  client.close()
}

/** Returns the panels without a value. */
async function evaluatePanels(prometheus: Prometheus): Promise<string[]> {
  const empty: string[] = []
  for (const { uid, panels } of dashboards)
    for (const { title, queries } of panels) {
      let values = 0
      for (const { expr } of queries) {
        const expression = expr.replaceAll('$__rate_interval', '1m').replaceAll(/\$(cell|route)/g, '.*')
        const { status, error, data } = await prometheus.query<{ result: readonly unknown[] }>('query', {
          query: expression,
        })
        if (status !== 'success') problems.push(`${uid}, ${title}: ${expression}: ${error}`)
        else values += data.result.length
      }
      if (values === 0) empty.push(title)
    }
  return empty
}

async function checkAlerts(prometheus: Prometheus): Promise<void> {
  const rules = await prometheus.alertRules()
  for (const { name, health, state, lastError } of rules) {
    if (health !== 'ok') problems.push(`${name} cannot be evaluated: ${lastError}`)
    if (state === 'firing') problems.push(`${name} fires although nothing is wrong`)
  }
  process.stdout.write(`${rules.length} alerts evaluated\n`)
}

async function checkTargetsAndExemplars(prometheus: Prometheus): Promise<void> {
  type Target = { readonly health: string; readonly lastError: string; readonly scrapeUrl: string }
  const { data } = await prometheus.query<{ activeTargets: readonly Target[] }>('targets')
  for (const { health, lastError, scrapeUrl } of data.activeTargets)
    if (health !== 'up') problems.push(`${scrapeUrl} cannot be scraped: ${lastError}`)
  const now = Date.now() / 1000
  const range = { start: String(now - 300), end: String(now + 60) }
  for (const histogram of [
    'postern_accept_duration_seconds_bucket',
    'postern_submit_duration_seconds_bucket',
  ]) {
    const answer = await prometheus.query<readonly unknown[]>('query_exemplars', {
      query: histogram,
      ...range,
    })
    if (answer.data.length === 0) problems.push(`${histogram} has no exemplars`)
  }
}
