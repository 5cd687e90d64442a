import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestBroker } from '../../../test/support/engines/broker.ts'
import { createTestDatabase } from '../../../test/support/engines/database.ts'
import { recordOne } from '../../../test/support/fixtures.ts'
import { openTestPlacement } from '../../../test/support/pipeline/placing.ts'
import { silentLog, testMetrics } from '../../../test/support/silent-log.ts'
import type { VerdictJob } from '../../jobs/jobs.ts'
import { findWaitingLanes } from '../../records/waiting/find-waiting.ts'
import { holdSteps } from '../../records/waiting/write-waiting.ts'
import { upsertRoute } from '../../carriers/routes/queries.ts'
import { StrandedSteps } from './stranded.ts'

const { database } = await createTestDatabase()
const testBroker = await createTestBroker()
const { broker, topology } = testBroker
const placing = await openTestPlacement(database)
const context = {
  ...placing,
  database,
  topology,
  publisher: broker.publisher,
  metrics: testMetrics(),
  log: silentLog,
}

function saveRoute(id: string, owners: number, enabled: boolean): Promise<void> {
  const link = {
    channels: ['sms'],
    protocol: 'sandbox',
    options: {},
    priority: 100,
    partsPerSecond: 0,
  } as const
  return upsertRoute(database, { id, ...link, owners, enabled })
}

async function holdFor(routeId: string): Promise<string> {
  const key = await recordOne(database)
  const row = { accountId: 1, routeId, lane: 'normal', parts: 1, tries: 0, reason: 'backlog' } as const
  await holdSteps(database, [{ ...key, ...row, releaseAt: new Date(Date.now() - 1_000) }])
  return key.msgKey
}

async function waiting(): Promise<Record<string, string>> {
  const { rows } = await database.query<{ key: string; route: string }>(
    'select msg_key as key, route_id as route from waiting',
  )
  return Object.fromEntries(rows.map(({ key, route }) => [key, route]))
}

async function release(): Promise<void> {
  const stranded = new StrandedSteps(context)
  if (stranded.isAmong(await findWaitingLanes(database))) await stranded.release(() => Promise.resolve(true))
}

test('a disabled route with fewer owners keeps the steps of all its shares', async () => {
  await saveRoute('texts', 2, false)
  await placing.routes.refresh()
  const [second, third, fourth] = [
    await holdFor('texts#2'),
    await holdFor('texts#3'),
    await holdFor('texts#4'),
  ]
  const deleted = [await holdFor('gone'), await holdFor('gone#2')]
  await release()
  assert.deepEqual(await waiting(), { [second]: 'texts#2', [third]: 'texts', [fourth]: 'texts' })
  const failed = (await testBroker.drain(topology.verdicts, 2)) as VerdictJob[]
  assert.deepEqual(failed.map(({ msgKey }) => msgKey).sort(), deleted.sort())
  assert.ok(failed.every(({ cause }) => cause === 'no-route'))
  assert.equal(await broker.depth(topology.verdicts), 0)
  await database.query('truncate waiting')
})

test('a process that has not read a new route leaves its steps to their owner', async () => {
  await saveRoute('new', 1, true)
  await saveRoute('texts', 3, false)
  const [first, added] = [await holdFor('new'), await holdFor('texts#3')]
  await release()
  assert.deepEqual(await waiting(), { [first]: 'new', [added]: 'texts#3' })
  assert.equal(await broker.depth(topology.verdicts), 0)
})
