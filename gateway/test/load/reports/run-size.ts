/**
 * `npm run suite -- reports:size [--seconds N] [--pending N] [--write]`: measures polling and
 * acknowledging with a million reports waiting for one account and some for ten thousand others, while more
 * are written. Exits with 1 if a limit is exceeded or a hot statement reads anything but index ranges.
 */
import { randomBytes } from 'node:crypto'
import { parseArgs } from 'node:util'
import { inTransaction, openDatabase, type Database } from '../../../src/platform/database/database.ts'
import { createMsgKey } from '../../../src/contract/msg-key.ts'
import { migrate } from '../../../src/platform/database/migrate.ts'
import { acknowledgeBatch, pollFeed } from '../../../src/records/feed/poll.ts'
import {
  findMessageReports,
  insertReports,
  reportFeed,
  type NewReport,
} from '../../../src/records/reports/queries.ts'
import { addMessages } from '../../../src/records/reports/reported-message.ts'
import { createDatabase, dropDatabase } from '../../support/processes/scratch-database.ts'
import { silentLog } from '../../support/silent-log.ts'
import { serviceUrl } from '../../support/engines/services.ts'
import { computeSpread } from '../../support/measure/statistics.ts'
import { writeDocSection } from '../../support/measure/write-doc.ts'
import { fillReports } from './fill-tables.ts'
import { explainWork, isIndexRange } from './explain.ts'
import { maxP99Ms, renderPlans, sizeSection } from './size-page.ts'

const { values: given } = parseArgs({
  options: {
    seconds: { type: 'string', default: '30' },
    pending: { type: 'string', default: '1000000' },
    write: { type: 'boolean', default: false },
  },
})
const seconds = Number(given.seconds)
const size = { pending: Number(given.pending), expired: 300_000, accounts: 10_000, each: 20 }
const writesPerSecond = 2_000
const batch = 100

const report = (accountId: number): NewReport => ({
  msgKey: createMsgKey('00', new Date()),
  step: 1,
  accountId,
  serviceType: 'SMS',
  msgType: 'SM',
  sentAt: new Date(),
  reportedAt: new Date(),
  reportCode: '10000',
  reportText: 'Delivered',
  carrier: '10000',
  parts: 1,
  ref: 'order',
})

/**
 * Writes half of each batch for the polled account, half for random accounts. Returns the number of written
 * reports.
 */
async function writeUntil(database: Database, end: number): Promise<number> {
  const started = performance.now()
  let written = 0
  while (performance.now() < end) {
    const reports = Array.from({ length: batch }, (_, n) =>
      report(n % 2 === 0 ? 1 : 2 + Math.floor(Math.random() * size.accounts)),
    )
    await inTransaction(database, (transaction) => insertReports(transaction, reports))
    written += batch
    const due = started + (written / writesPerSecond) * 1000
    if (due > performance.now()) await new Promise((resolve) => setTimeout(resolve, due - performance.now()))
  }
  return written
}

const hasFullKeys = (): boolean => true

interface Timed {
  readonly polls: number[]
  readonly acknowledgements: number[]
}

async function pollUntil(
  database: Database,
  end: number,
  accountOf: () => number,
  timed: Timed,
): Promise<void> {
  while (performance.now() < end) {
    const account = accountOf()
    const started = performance.now()
    const { batchId: reportId, rows } = await pollFeed(database, reportFeed, account)
    await addMessages(database, rows, hasFullKeys)
    const polled = performance.now()
    if (reportId === '') continue
    await acknowledgeBatch(database, reportFeed, account, reportId)
    timed.polls.push(polled - started)
    timed.acknowledgements.push(performance.now() - polled)
    // Simulates a client with work between polls: latency is measured, not throughput.
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

const name = `postern_size_${randomBytes(4).toString('hex')}`
const url = await createDatabase(serviceUrl('POSTERN_DATABASE_URL'), name)
const database = openDatabase(url, silentLog, { connections: 8 })
let withinLimits: boolean
try {
  await migrate(database)
  await fillReports(database, size)
  const started = performance.now()
  await pollFeed(database, reportFeed, 1)
  const firstMs = performance.now() - started
  const end = performance.now() + seconds * 1000
  const polledAccount: Timed = { polls: [], acknowledgements: [] }
  const others: Timed = { polls: [], acknowledgements: [] }
  const [written] = await Promise.all([
    writeUntil(database, end),
    pollUntil(database, end, () => 1, polledAccount),
    pollUntil(database, end, () => 2 + Math.floor(Math.random() * size.accounts), others),
  ])
  const plans = await explainWork(database, async (transaction) => {
    const { batchId: reportId, rows } = await pollFeed(transaction, reportFeed, 1)
    await addMessages(transaction, rows, hasFullKeys)
    await acknowledgeBatch(transaction, reportFeed, 1, reportId)
    await findMessageReports(transaction, 1, createMsgKey('00', new Date()), new Date(0))
  })
  const result = {
    size,
    seconds,
    firstMs,
    writtenPerSecond: written / seconds,
    poll: computeSpread(polledAccount.polls),
    others: computeSpread(others.polls),
    acknowledge: computeSpread([...polledAccount.acknowledgements, ...others.acknowledgements]),
    plans,
  }
  const section = sizeSection(result)
  process.stdout.write(`${section}\n\n${renderPlans(result)}`)
  if (given.write) await writeDocSection('evidence/at-size.md', 'reports', section)
  const scans = [...plans].filter(([, plan]) => !isIndexRange(plan)).map(([statement]) => statement)
  if (scans.length > 0) process.stdout.write(`not index ranges: ${scans.join(', ')}\n`)
  withinLimits =
    result.poll.p99 < maxP99Ms.poll && result.acknowledge.p99 < maxP99Ms.acknowledge && scans.length === 0
} finally {
  await database.end()
  await dropDatabase(serviceUrl('POSTERN_DATABASE_URL'), name)
}
process.stdout.write(withinLimits ? 'kept: every limit\n' : 'NOT kept: see above\n')
process.exitCode = withinLimits ? 0 : 1
