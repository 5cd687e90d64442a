/** Jobs that JSON.stringify cannot write are parked by every stage, are listed, and hurt no other job. */
import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { sendThroughQueue } from '../../test/support/settle.ts'
import { Connection } from 'rabbitmq-client'
import { createTestBroker } from '../../test/support/broker.ts'
import { atEnd } from '../../test/support/cleanup.ts'
import { createTestDatabase } from '../../test/support/database.ts'
import {
  acceptedJob,
  acceptedJobs,
  ledgerOf,
  recordOne,
  reportCodes,
  verdict,
} from '../../test/support/fixtures.ts'
import { emptyOutbox } from '../../test/support/outbox.ts'
import { openPlacing } from '../../test/support/placing.ts'
import { joinMembers } from '../../test/support/membership.ts'
import { brokerUrls } from '../../test/support/services.ts'
import { quietLog, testMetrics } from '../../test/support/silent-log.ts'
import { waitFor } from '../../test/support/wait.ts'
import { createAttemptWriter } from '../pipeline/dispatch/attempt-writer.ts'
import { startDispatch } from '../pipeline/dispatch/dispatch.ts'
import { startIntake } from '../pipeline/intake/intake.ts'
import { startSettle } from '../pipeline/settle/settle.ts'
import { RouteResultCounter } from '../routes/result-counter.ts'
import { upsertRoute } from '../routes/queries.ts'
import { openRules } from '../routes/route.ts'
import { collectParked } from './collect.ts'
import { dropParked } from './drop.ts'
import { listParked, type ParkedRow } from '../records/parked/queries.ts'

const { database } = await createTestDatabase()
const { broker, topology } = await createTestBroker()
const { publisher } = broker
const route = { protocol: 'sandbox', options: {}, priority: 100, partsPerSecond: 0, enabled: true }
await upsertRoute(database, { ...openRules, ...route, id: 'north', channels: ['sms'] })
await broker.declare([topology.queueOf('north')])
const stopping = new AbortController()
const stage = {
  ...(await openPlacing(database)),
  ...{ broker, topology, database, metrics: testMetrics(), log: quietLog, signal: stopping.signal },
}
const collecting = collectParked(stage)
atEnd(() => collecting.stop())
const nested = `${'['.repeat(20_000)}${']'.repeat(20_000)}`
/** Jobs of 40 KB, each parked by a transaction of its own: seconds on an idle machine, more on a busy one. */
const patient = { timeoutMs: 60_000 }
const parkedRows = (count: number): Promise<ParkedRow[]> =>
  waitFor(
    `${count} parked jobs`,
    async () => {
      const rows = await listParked(database, 0, 100)
      return rows.length === count ? rows : null
    },
    patient,
  )

beforeEach(() => database.query('delete from parked'))

test('intake parks 40 of them, refused or not, and records the messages of others', async () => {
  const rich = JSON.stringify(acceptedJob({ accountId: 5, steps: [{ channel: 'alimtalk', content: {} }] }))
  const text = JSON.stringify(acceptedJob({ accountId: 5 })).replace('"text":', `"x":${nested},"text":`)
  const deep = Array.from({ length: 40 }, (_, n) => {
    if (n % 3 === 0) return `{"v":2,"n":${n},"x":${nested}}`
    const valid = n % 3 === 1 ? rich.replace('"content":{}', `"content":{"x":${nested}}`) : text
    return `${valid.slice(0, -1)},"n":${n}}`
  })
  // One by one: each is a broker message of its own and holds a prefetch slot.
  for (const job of deep) await publisher.send(topology.accepted.normal, job)
  const intake = startIntake({ ...stage, stepTtlSeconds: 60, retentionDays: 30 })
  atEnd(() => {
    stopping.abort()
    return intake.stop()
  })
  const good = acceptedJobs(20, { accountId: 7 }).map((job) => JSON.stringify(job))
  await Promise.all(
    [...good, `{"v":2,"with":"others","x":${nested}}`].map((job) =>
      publisher.send(topology.accepted.normal, job),
    ),
  )
  await waitFor('the messages of others', async () => (await ledgerOf(database, 7)).inFlight === 20, patient)
  const rows = await parkedRows(41)
  assert.ok(rows.every((row) => row.stage === 'intake'))
  assert.deepEqual(
    new Set(deep),
    new Set(rows.map((row) => row.payload.toString()).filter((job) => deep.includes(job))),
  )
})

test('a dropped message with deep content still ends', async () => {
  const job = acceptedJob({ accountId: 8, steps: [{ channel: 'mms', content: {} }] })
  const deep = JSON.stringify(job).replace('"content":{}', `"content":{"x":${nested}}`)
  await publisher.send(topology.parked, `{"stage":"intake","reason":"x","job":${deep}}`)
  const [row] = await parkedRows(1)
  assert.equal((await dropParked({ database, publisher, topology }, row!)).dropped, true)
  assert.equal((await ledgerOf(database, 8)).accepted, 1)
})

test('settle and dispatch park them', async () => {
  const settle = startSettle({
    ...stage,
    ...{ retentionDays: 30, outbox: emptyOutbox, resultCounter: new RouteResultCounter() },
  })
  atEnd(() => settle.stop())
  const dispatch = startDispatch(stage.routes, {
    ...stage,
    attemptWriter: createAttemptWriter(database, stage.metrics, quietLog),
    membership: joinMembers(database),
    sendToSettle: sendThroughQueue(broker.publisher, topology),
    onReceipt: () => Promise.resolve(),
  })
  atEnd(() => dispatch.stop())
  const key = await recordOne(database, { accountId: 9 })
  await publisher.send(topology.receipts, `{"v":1,"kind":"receipt","x":${nested}}`)
  await publisher.send(topology.queueOf('north'), `{"v":1,"x":${nested}}`)
  await publisher.send(topology.receipts, JSON.stringify(verdict(key)))
  await waitFor('the report', async () => (await reportCodes(database, key.msgKey)).length === 1, patient)
  const rows = await parkedRows(2)
  assert.deepEqual(new Set(rows.map((row) => row.stage)), new Set(['settle', 'dispatch']))
})

test('entries of another program that PostgreSQL cannot store do not stop the collector', async () => {
  const connection = new Connection(brokerUrls()[0])
  const foreign = connection.createPublisher({ confirm: true })
  const hostile = { queue: `a\u0000${'b'.repeat(5_000)}`, reason: '\u0000', body: 'e30=' }
  for (const body of ['{"n":1}', 'not JSON', JSON.stringify(hostile)])
    await foreign.send({ routingKey: topology.parked.name, durable: true }, Buffer.from(body))
  await foreign.close()
  await connection.close()
  await publisher.send(topology.parked, JSON.stringify({ stage: 'settle', job: { a: 1 }, reason: 'x' }))
  const rows = await parkedRows(4)
  assert.ok(rows.every(({ reason }) => /^[\x20-\x7e]{1,200}$/.test(reason!)))
})
