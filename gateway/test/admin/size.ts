/**
 * `npm run admin:size [-- --messages N] [--routes N] [--accounts N] [--days N] [--rate N] [--index-cost N]`: how fast the admin API
 * answers with very many messages stored, and, with a rate, while more are written. Exits with 1 when the p99 of an operation is 300 ms or more.
 */
import { randomBytes } from 'node:crypto'
import { cpus, loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import { adminOperations, openOperations } from '../../src/admin/operations.ts'
import { createAdminServer } from '../../src/admin/server.ts'
import { openAdminDatabases } from '../../src/admin/services.ts'
import { createTopology } from '../../src/jobs/queues.ts'
import { loadConfig } from '../../src/platform/config.ts'
import { openDatabase } from '../../src/platform/database.ts'
import { openEncryption } from '../../src/platform/encryption/encryption.ts'
import { migrate } from '../../src/platform/migrate.ts'
import type { AdminServices } from '../../src/admin/services.ts'
import { addOperator } from '../support/operators.ts'
import { createDatabase, dropDatabase } from '../support/processes/scratch-database.ts'
import { serviceUrl } from '../support/services.ts'
import { quietLog, testMetrics } from '../support/silent-log.ts'
import { spreadOf } from '../support/statistics.ts'
import { acceptedJobs, recordJobs } from '../support/fixtures.ts'
import { fill, rareCode, refOf } from './fill.ts'
import { measureIndexCost } from './index-cost.ts'

const { values: given } = parseArgs({
  options: {
    messages: { type: 'string', default: '1000000' },
    routes: { type: 'string', default: '500' },
    accounts: { type: 'string', default: '10000' },
    days: { type: 'string', default: '10' },
    rate: { type: 'string', default: '0' },
    asks: { type: 'string', default: '50' },
    'index-cost': { type: 'string', default: '0' },
  },
})
const [messages, routes, accounts, days] = [given.messages, given.routes, given.accounts, given.days].map(
  Number,
)
const [rate, asks] = [Number(given.rate), Number(given.asks)]
const size = { messages: messages!, routes: routes!, accounts: accounts!, days: days! }
const maxMs = 300
const print = (text: string): void => void process.stdout.write(`${text}\n`)

const name = `postern_admin_size_${randomBytes(4).toString('hex')}`
const url = await createDatabase(serviceUrl('POSTERN_DATABASE_URL'), name)
const database = openDatabase(url, quietLog, { connections: 8 })
const databases = openAdminDatabases(url, quietLog)
let exitCode: number
try {
  await migrate(database)
  print(`${cpus().length} processors, load ${loadavg()[0]!.toFixed(1)}`)
  if (Number(given['index-cost']) > 0)
    for (const cost of await measureIndexCost(database, Number(given['index-cost'])))
      print(JSON.stringify(cost))
  const began = performance.now()
  const filled = await fill(database, size, print)
  print(`filled in ${Math.round((performance.now() - began) / 1000)} s`)
  exitCode = await measure(filled)
} finally {
  await databases.close()
  await database.end()
  await dropDatabase(serviceUrl('POSTERN_DATABASE_URL'), name)
}
process.exit(exitCode)

async function measure(filled: readonly string[]): Promise<number> {
  const config = loadConfig({
    ...{
      POSTERN_DATABASE_URL: url,
      POSTERN_BROKER_URLS: 'amqp://127.0.0.1',
      POSTERN_TOKEN_SECRET: 'x'.repeat(32),
    },
  })
  const broker = { depth: () => Promise.resolve(0), canPublish: true } as unknown as AdminServices['broker']
  const server = createAdminServer({
    services: {
      ...{
        config,
        log: quietLog,
        broker,
        topology: createTopology('size.'),
        encryption: openEncryption({}),
        metrics: testMetrics(),
        openFile: () => Promise.resolve(null),
        ...databases,
      },
    },
    operations: adminOperations,
    openOperations,
  })
  const key = await addOperator(database, 'size', 'admin')
  const headers = { authorization: `Bearer ${key}` }
  const writing = new AbortController()
  const written = rate > 0 ? writeAt(rate, writing.signal) : Promise.resolve()
  let worst = 0
  for (const [what, request] of questions(filled)) {
    const times: number[] = []
    for (let i = 0; i < asks; i++) {
      const { method, path, body } = request(i)
      const started = performance.now()
      const answer = await server.inject({
        method,
        url: path,
        headers,
        ...(body === undefined ? {} : { payload: body }),
      })
      times.push(performance.now() - started)
      if (answer.statusCode !== 200)
        throw new Error(`${what}: ${answer.statusCode} ${answer.body.slice(0, 300)}`)
      if (i === 0 && what.startsWith('find')) checkFound(what, answer.json())
    }
    const { p50, p99 } = spreadOf(times)
    worst = Math.max(worst, p99)
    print(`${what.padEnd(40)} p50 ${p50.toFixed(1).padStart(7)} ms   p99 ${p99.toFixed(1).padStart(7)} ms`)
  }
  writing.abort()
  await written
  await server.close()
  print(`worst p99 ${worst.toFixed(1)} ms, must be less than ${maxMs} ms; load ${loadavg()[0]!.toFixed(1)}`)
  return worst < maxMs ? 0 : 1
}

interface Question {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly body?: object
}

/** Every operation that lists or shows, and searches of every kind. */
function questions(filled: readonly string[]): [string, (nth: number) => Question][] {
  const perDay = Math.floor(size.messages / size.days)
  const oldest = filled[0]!
  const nth = (i: number): number => 1 + ((i * 7_919) % perDay)
  const account = (n: number): string => `acc-${String(1 + (n % size.accounts)).padStart(6, '0')}`
  const recipient = (n: number): string =>
    `010${String((n * 7_919 + Number(oldest)) % 100_000_000).padStart(8, '0')}`
  const lists = adminOperations
    .filter(({ method, path, stream }) => method === 'get' && stream === undefined && !path.includes('{'))
    .map(({ id, path }): [string, () => Question] => [id, () => ({ method: 'GET', path })])
  const get =
    (path: (i: number) => string) =>
    (i: number): Question => ({ method: 'GET', path: path(i) })
  return [
    ...lists,
    ['showAccount', get((i) => `/admin/v1/accounts/${account(i)}`)],
    ['showRoute', get((i) => `/admin/v1/routes/route-${1 + (i % size.routes)}`)],
    ['closed messages of an account', get((i) => `/admin/v1/messages?account=${account(i)}&state=closed`)],
    ['messages of an account', get((i) => `/admin/v1/messages?account=${account(i)}`)],
    ['find by ref, newest day', get((i) => `/admin/v1/messages?ref=${refOf(filled.at(-1)!, nth(i))}`)],
    ['find by ref, oldest day', get((i) => `/admin/v1/messages?ref=${refOf(oldest, nth(i))}`)],
    ['find by a common code', get(() => '/admin/v1/messages?code=10000')],
    ['find by a rare code', get(() => `/admin/v1/messages?code=${rareCode}`)],
    ['no message has the ref', get((i) => `/admin/v1/messages?ref=none-${i}`)],
    ['no message has the code', get(() => '/admin/v1/messages?code=99999')],
    [
      'find by recipient, oldest day',
      (i) => ({
        ...{ method: 'POST', path: '/admin/v1/messages/search' },
        body: { account: account(nth(i)), recipient: recipient(nth(i)), reason: 'measured' },
      }),
    ],
    [
      'previewRouteAct',
      (i) => ({
        method: 'POST',
        path: `/admin/v1/routes/route-${1 + (i % size.routes)}/preview`,
        body: { act: 'drain' },
      }),
    ],
  ]
}

/** The first page has it, or says how far it has come. */
function checkFound(
  what: string,
  { data }: { data: { items: object[]; searchedUntil: string | null } },
): void {
  if (data.items.length === 0) print(`${what}: not on the first page, which ended at ${data.searchedUntil}`)
}

/** Records messages as intake does. */
async function writeAt(perSecond: number, signal: AbortSignal): Promise<void> {
  const batch = 50
  const started = performance.now()
  for (let written = 0; !signal.aborted; written += batch) {
    await recordJobs(database, acceptedJobs(batch))
    const due = started + ((written + batch) / perSecond) * 1000
    if (due > performance.now()) await new Promise((resolve) => setTimeout(resolve, due - performance.now()))
  }
}
