/**
 * `npm run suite -- admin:size [--messages N] [--routes N] [--accounts N] [--days N] [--rate N] [--requests N]
 * [--index-cost N]`: measures the response times of the admin API and of client searches with very many
 * stored messages, while clients send at a rate through real processes. Exits with 1 if the p99 of an
 * operation is 300 ms or more, or the rate was not reached. `--index-cost` first measures the cost of indexes
 * with N rows.
 */
import { loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import { describeHardware, readHardware } from '../../../../tools/dev/hardware.ts'
import { openDatabase } from '../../../src/platform/database/database.ts'
import { addTestOperator } from '../../support/http/operators.ts'
import { JsonHttp, type HttpResponse } from '../../support/processes/json-http.ts'
import { TestInstallation } from '../../support/processes/test-installation.ts'
import { silentLog } from '../../support/silent-log.ts'
import { computeSpread } from '../../support/measure/statistics.ts'
import { fillMessages } from './fill.ts'
import { startFlow, type Flow } from './flow.ts'
import { measureIndexCost } from './index-cost.ts'
import { clientSearches, listAdminRequests } from './requests.ts'

const { values: given } = parseArgs({
  options: {
    messages: { type: 'string', default: '1000000' },
    routes: { type: 'string', default: '500' },
    accounts: { type: 'string', default: '10000' },
    days: { type: 'string', default: '10' },
    rate: { type: 'string', default: '500' },
    requests: { type: 'string', default: '100' },
    'index-cost': { type: 'string', default: '0' },
  },
})
const size = {
  messages: Number(given.messages),
  routes: Number(given.routes),
  accounts: Number(given.accounts),
  days: Number(given.days),
}
const [rate, requestCount, indexCost] = [
  Number(given.rate),
  Number(given.requests),
  Number(given['index-cost']),
]
const maxMs = 300
const print = (text: string): void => void process.stdout.write(`${text}\n`)

print(describeHardware(readHardware()))
const installation = await TestInstallation.open()
const database = openDatabase(installation.databaseUrl, silentLog, { connections: 8 })
let ok = false
try {
  if (indexCost > 0)
    for (const cost of await measureIndexCost(database, indexCost)) print(JSON.stringify(cost))
  const began = performance.now()
  const filled = await fillMessages(database, size, print)
  print(`filled in ${Math.round((performance.now() - began) / 1000)} s`)
  const flow = await startFlow(installation, rate)
  try {
    ok = await measure(flow, filled)
  } finally {
    await flow.stop()
  }
} finally {
  await database.end()
  await installation.close(!ok)
}
process.exit(ok ? 0 : 1)

async function measure(flow: Flow, filled: readonly string[]): Promise<boolean> {
  const authorization = `Bearer ${await addTestOperator(database, 'size', 'admin')}`
  const http = new JsonHttp(flow.adminUrl, { connections: 1 })
  const [began, before] = [performance.now(), await flow.counts()]
  let worst = 0
  const measureOne = async (
    label: string,
    send: (nth: number) => Promise<HttpResponse<Found>>,
  ): Promise<void> => {
    const times: number[] = []
    for (let i = 0; i < requestCount; i++) {
      const started = performance.now()
      const response = await send(i)
      times.push(performance.now() - started)
      if (response.httpStatus !== 200)
        throw new Error(`${label}: ${response.httpStatus} ${JSON.stringify(response.body).slice(0, 300)}`)
      if (i === 0 && label.startsWith('find')) checkFound(label, response.body)
    }
    const { p50, p99 } = computeSpread(times)
    worst = Math.max(worst, p99)
    print(`${label.padEnd(40)} p50 ${p50.toFixed(1).padStart(7)} ms   p99 ${p99.toFixed(1).padStart(7)} ms`)
  }
  for (const [label, search] of clientSearches(filled))
    await measureOne(label, (i) => flow.client.call('POST', '/v1/message/search', JSON.stringify(search(i))))
  for (const [label, request] of listAdminRequests(size, filled))
    await measureOne(label, (i) => {
      const { method, path, body } = request(i)
      return http.send<Found>(method, path, {
        headers: { authorization, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
    })
  http.close()
  const [seconds, after] = [(performance.now() - began) / 1000, await flow.counts()]
  const perSecond = (name: 'sent' | 'accepted' | 'reported'): number => (after[name] - before[name]) / seconds
  const flowed = perSecond('accepted') >= 0.98 * rate && perSecond('reported') >= 0.9 * rate
  const rates = (['sent', 'accepted', 'reported'] as const).map(
    (name) => `${perSecond(name).toFixed(0)} ${name}`,
  )
  print(`per second, over ${seconds.toFixed(0)} s: ${rates.join(', ')}; wanted ${rate}`)
  print(`worst p99 ${worst.toFixed(1)} ms, must be less than ${maxMs} ms; load ${loadavg()[0]!.toFixed(1)}`)
  return worst < maxMs && flowed
}

interface Found {
  readonly data: { readonly items: readonly object[]; readonly searchedUntil: string | null }
}

/** Prints how far the search has come if the first page is empty. */
function checkFound(label: string, { data }: Found): void {
  if (data.items.length === 0) print(`${label}: not on the first page, which ended at ${data.searchedUntil}`)
}
