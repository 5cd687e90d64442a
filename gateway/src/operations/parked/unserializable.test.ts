/** Every stage parks jobs that JSON.stringify cannot serialize; they are listed, and affect no other job. */
import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { Connection } from 'rabbitmq-client'
import {
  acceptedJob,
  acceptedJobs,
  readAccountLedger,
  recordOne,
  reportCodes,
  verdict,
} from '../../../test/support/fixtures.ts'
import { openPipeline } from '../../../test/support/pipeline/pipeline.ts'
import { testRoute } from '../../../test/support/routes.ts'
import { brokerUrls } from '../../../test/support/engines/services.ts'
import { waitFor } from '../../../test/support/wait.ts'
import { listParked, type StoredParkedJob } from '../../records/parked/queries.ts'
import { dropParked } from './drop.ts'

const pipeline = await openPipeline()
const { database, topology } = pipeline
const { publisher } = pipeline.broker
await pipeline.addRoute(testRoute('north', { protocol: 'sandbox', options: {} }))
await pipeline.startWorker()

const nested = `${'['.repeat(20_000)}${']'.repeat(20_000)}`
/** Each job has 40 KB and is parked in a separate transaction, which takes seconds. */
const patient = { timeoutMs: 60_000 }
const parkedRows = (count: number): Promise<StoredParkedJob[]> =>
  waitFor(
    `${count} parked jobs`,
    async () => {
      const rows = await listParked(database, 0, 100)
      return rows.length === count ? rows : null
    },
    patient,
  )

beforeEach(() => database.query('delete from parked'))

test('intake parks 40 unserializable jobs and records the other messages', async () => {
  const rich = JSON.stringify(acceptedJob({ accountId: 5, steps: [{ channel: 'alimtalk', content: {} }] }))
  const text = JSON.stringify(acceptedJob({ accountId: 5 })).replace('"text":', `"x":${nested},"text":`)
  const deep = Array.from({ length: 40 }, (_, n) => {
    if (n % 3 === 0) return `{"v":2,"n":${n},"x":${nested}}`
    const valid = n % 3 === 1 ? rich.replace('"content":{}', `"content":{"x":${nested}}`) : text
    return `${valid.slice(0, -1)},"n":${n}}`
  })
  // One by one: each is a separate broker message and occupies a prefetch slot.
  for (const job of deep) await publisher.send(topology.accepted.normal, job)
  const good = acceptedJobs(20, { accountId: 7 }).map((job) => JSON.stringify(job))
  await Promise.all(
    [...good, `{"v":2,"with":"others","x":${nested}}`].map((job) =>
      publisher.send(topology.accepted.normal, job),
    ),
  )
  await waitFor(
    'the messages of others',
    async () => (await readAccountLedger(database, 7)).accepted === 20,
    patient,
  )
  const rows = await parkedRows(41)
  assert.ok(rows.every((row) => row.stage === 'intake'))
  const payloads = new Set(rows.map((row) => row.payload.toString()))
  assert.ok(deep.every((job) => payloads.has(job)))
})

test('a dropped message with deep content is closed', async () => {
  const job = acceptedJob({ accountId: 8, steps: [{ channel: 'mms', content: {} }] })
  const deep = JSON.stringify(job).replace('"content":{}', `"content":{"x":${nested}}`)
  await publisher.send(topology.parked, `{"stage":"intake","reason":"x","job":${deep}}`)
  const [row] = await parkedRows(1)
  assert.equal((await dropParked({ database, publisher, topology }, row!)).dropped, true)
  assert.equal((await readAccountLedger(database, 8)).accepted, 1)
})

test('settle and dispatch park unserializable jobs', async () => {
  const key = await recordOne(database, { accountId: 9 })
  await publisher.send(topology.receipts, `{"v":1,"kind":"receipt","x":${nested}}`)
  await publisher.send(topology.getQueue('north'), `{"v":1,"x":${nested}}`)
  await publisher.send(topology.receipts, JSON.stringify(verdict(key)))
  await waitFor('the report', async () => (await reportCodes(database, key.msgKey)).length === 1, patient)
  const rows = await parkedRows(2)
  assert.deepEqual(new Set(rows.map((row) => row.stage)), new Set(['settle', 'dispatch']))
})

test('entries of other programs that PostgreSQL cannot store do not stop the collector', async () => {
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
