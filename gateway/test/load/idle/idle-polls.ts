/** `npm run suite -- idle --polls`: accounts without reports poll through the API in turn, some at once. */
import { setTimeout as delay } from 'node:timers/promises'
import { createTokenKey } from '../../../src/edge/api/tokens/token.ts'
import { openDatabase, type Database } from '../../../src/platform/database/database.ts'
import { inParallel } from '../../support/parallel.ts'
import { JsonHttp } from '../../support/processes/json-http.ts'
import type { PollResponse } from '../../support/processes/account-client.ts'
import { TestInstallation } from '../../support/processes/test-installation.ts'
import { printProgress } from '../../support/measure/progress.ts'
import { silentLog } from '../../support/silent-log.ts'
import { computeSpread } from '../../support/measure/statistics.ts'
import { measureCpu, processesNamed } from '../cpu-usage.ts'
import { insertAccounts } from './idle-installation.ts'

const connections = 16
/**
 * PostgreSQL publishes its counts within a second, and the API writes the last use of credentials within two.
 */
const settleMs = 5_000
/**
 * Shorter than a minute, after which the API writes the last use of a credential again; that is no cost of a
 * poll.
 */
const maxSeconds = 45
const maxRecordsPerPoll = 0.001

/** Prints the figures and returns the findings. */
export async function measurePolls(accounts: number, given: number): Promise<string[]> {
  const seconds = Math.min(given, maxSeconds)
  const base = await TestInstallation.open()
  const database = openDatabase(base.databaseUrl, silentLog, { connections: 1 })
  const findings: string[] = []
  try {
    await insertAccounts(database, accounts)
    const tokens = await issueTokens(database, base.environment.POSTERN_TOKEN_SECRET!)
    // Otherwise autovacuum would write during the measurement.
    await database.query('vacuum analyze')
    const api = await base.startGateway('api', 'api')
    await api.untilReady()
    const http = new JsonHttp(api.url, { connections })
    const poll = async (token: string): Promise<void> => {
      const { body } = await http.send<PollResponse>('GET', '/v1/report/polling', {
        headers: { authorization: `Bearer ${token}` },
      })
      if (body.data?.reportId !== '') throw new Error(`unexpected poll response ${JSON.stringify(body)}`)
    }
    printProgress('every account polls once')
    await inParallel(tokens, connections, poll)
    await delay(settleMs)
    printProgress(`measuring for ${seconds} s`)
    const recordsBefore = await countWalRecords(database)
    const times: number[] = []
    const measured = measureCpu(
      new Map([
        ['api', () => (api.pid === undefined ? [] : [api.pid])],
        ['database', () => processesNamed(` ${base.name} `)],
      ]),
      seconds,
    )
    const end = performance.now() + seconds * 1000
    let next = 0
    const pollInTurn = async (): Promise<void> => {
      while (performance.now() < end) {
        const started = performance.now()
        await poll(tokens[next++ % tokens.length]!)
        times.push(performance.now() - started)
      }
    }
    await Promise.all(Array.from({ length: connections }, pollInTurn))
    const cpuOf = await measured
    await delay(settleMs)
    const records = ((await countWalRecords(database)) - recordsBefore) / times.length
    // One per cent of a core is 10,000 µs of CPU time per second.
    const microseconds = (name: string): string =>
      `${((cpuOf(name) * seconds * 10_000) / times.length).toFixed(0)} µs`
    const { p50, p99 } = computeSpread(times)
    for (const [label, value] of [
      ['polls per second', (times.length / seconds).toFixed(0)],
      ['p50, p99', `${p50.toFixed(1)}, ${p99.toFixed(1)} ms`],
      ['CPU of the API per poll', microseconds('api')],
      ['CPU of PostgreSQL sessions per poll', microseconds('database')],
      ['WAL records per poll', records.toFixed(4)],
    ] as const)
      process.stdout.write(`  ${label.padEnd(48)}${value.padStart(18)}\n`)
    if (records > maxRecordsPerPoll) findings.push(`an empty poll writes ${records.toFixed(4)} WAL records`)
    http.close()
    return findings
  } finally {
    await database.end()
    await base.close(findings.length > 0)
  }
}

/** Marks all reports of every account as read and issues tokens. */
async function issueTokens(database: Database, secret: string): Promise<string[]> {
  await database.query('insert into report_sequences (account_id, last_seq) select id, 10 from accounts')
  await database.query('insert into report_polls (account_id, acked_seq) select id, 10 from accounts')
  const { rows } = await database.query<{ id: number; credentialId: number }>(
    'select account_id as id, id as "credentialId" from credentials',
  )
  const key = createTokenKey(secret, '00')
  return rows.map(({ id, credentialId }) => key.issue(id, 1, new Date(), { credentialId }).token)
}

async function countWalRecords(database: Database): Promise<number> {
  const { rows } = await database.query<{ records: number }>('select wal_records as records from pg_stat_wal')
  return rows[0]!.records
}
