/**
 * `npm run suite -- erasure [--messages N] [--days N] [--erasures N]`: erases recipients through the admin
 * API with a tenth of the messages stored and then with all, and prints the time and the pages that
 * PostgreSQL read. Exits with 1 if the p99 is 5 s or more.
 */
import { parseArgs } from 'node:util'
import { choosePort } from '../../../../tools/engines/free-ports.ts'
import { describeHardware, readHardware } from '../../../../tools/dev/hardware.ts'
import { openDatabase, type Database } from '../../../src/platform/database/database.ts'
import { addTestOperator } from '../../support/http/operators.ts'
import { JsonHttp } from '../../support/processes/json-http.ts'
import { TestInstallation } from '../../support/processes/test-installation.ts'
import { silentLog } from '../../support/silent-log.ts'
import { computeSpread } from '../../support/measure/statistics.ts'
import { fillMessages, createRecipient } from './fill.ts'
import { untilAnswered } from './flow.ts'

const { values: given } = parseArgs({
  options: {
    messages: { type: 'string', default: '10000000' },
    days: { type: 'string', default: '10' },
    erasures: { type: 'string', default: '20' },
  },
})
const [messages, days, erasures] = [Number(given.messages), Number(given.days), Number(given.erasures)]
const accounts = 10_000
const maxMs = 5_000
const print = (text: string): void => void process.stdout.write(`${text}\n`)

print(describeHardware(readHardware()))
let worstMs = 0
for (const stored of [messages / 10, messages]) {
  const installation = await TestInstallation.open()
  const database = openDatabase(installation.databaseUrl, silentLog, { connections: 2 })
  try {
    const filled = await fillMessages(database, { messages: stored, routes: 1, accounts, days }, print)
    worstMs = Math.max(worstMs, await measure(installation, database, stored, filled))
  } finally {
    await database.end()
    await installation.close(false)
  }
}
process.exit(worstMs < maxMs ? 0 : 1)

async function measure(
  installation: TestInstallation,
  database: Database,
  stored: number,
  filled: readonly string[],
): Promise<number> {
  const authorization = `Bearer ${await addTestOperator(database, 'erasure', 'admin')}`
  const port = await choosePort()
  const admin = await installation.startGateway('admin', 'admin', { POSTERN_ADMIN_PORT: String(port) })
  const adminUrl = `http://127.0.0.1:${port}`
  await untilAnswered(adminUrl)
  const http = new JsonHttp(adminUrl, { connections: 1 })
  const times: number[] = []
  const before = await pagesRead(database)
  for (let i = 0; i < erasures; i++) {
    const day = filled[i % filled.length]!
    const nth = 1 + ((i * 7_919) % Math.floor(stored / days))
    const account = `acc-${String(1 + (nth % accounts)).padStart(6, '0')}`
    const began = performance.now()
    const { httpStatus, body } = await http.send<{ data: { erased: number } }>(
      'POST',
      `/admin/v1/accounts/${account}/erase-recipient`,
      {
        headers: { authorization, 'content-type': 'application/json' },
        body: JSON.stringify({ recipient: createRecipient(day, nth), reason: 'measured' }),
      },
    )
    times.push(performance.now() - began)
    if (httpStatus !== 200 || body.data.erased < 1) throw new Error(`${httpStatus} ${JSON.stringify(body)}`)
  }
  http.close()
  // A backend reports its reads after a while, or when it exits: stop the process first.
  await admin.stop()
  const pages = ((await pagesRead(database)) - before) / erasures
  const { p50, p99 } = computeSpread(times)
  const size = await database.query<{ pages: number }>(
    `select sum(pg_relation_size(inhrelid) / 8192)::bigint as pages from pg_inherits where inhparent = 'messages'::regclass`,
  )
  print(
    `${stored} messages in ${size.rows[0]!.pages} pages: one erasure p50 ${p50.toFixed(0)} ms, p99 ${p99.toFixed(0)} ms, ${pages.toFixed(0)} pages read`,
  )
  return p99
}

/** Returns the pages of messages, reports, attempts and their indexes that were accessed, in memory or on disk. */
async function pagesRead(database: Database): Promise<number> {
  const { rows } = await database.query<{ pages: number }>(
    `select sum(heap_blks_hit + heap_blks_read + coalesce(idx_blks_hit + idx_blks_read, 0))::bigint as pages
       from pg_statio_user_tables where relname ~ '^(messages|reports|attempts)_'`,
  )
  return rows[0]!.pages
}
