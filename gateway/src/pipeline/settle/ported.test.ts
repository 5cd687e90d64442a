/**
 * A number that was ported: the carrier that refuses it, or reports it, names another one, and the message is sent there,
 * once, by the next try of its step. Over MM7, to simulated carriers that share no code with the gateway.
 */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { suite, test } from 'node:test'
import { startMm7 } from '../../../../simulator/src/mm7.ts'
import { createTestBroker } from '../../../test/support/broker.ts'
import { atEnd } from '../../../test/support/cleanup.ts'
import { createTestDatabase } from '../../../test/support/database.ts'
import { acceptedJob, isInFlight, ledgerOf, reportCodes, sender } from '../../../test/support/fixtures.ts'
import { openPlacing } from '../../../test/support/placing.ts'
import { testRoute } from '../../../test/support/routes.ts'
import { sendThroughQueue } from '../../../test/support/settle.ts'
import { quietLog, testMetrics } from '../../../test/support/silent-log.ts'
import { waitFor } from '../../../test/support/wait.ts'
import type { RichStep } from '../../channels/channel.ts'
import { createInbound } from '../../connectors/registry.ts'
import { digestLogin } from '../../routes/logins.ts'
import { upsertRoute } from '../../routes/queries.ts'
import { replaceRanges } from '../../routes/ranges.ts'
import { RouteResultCounter } from '../../routes/result-counter.ts'
import type { Route } from '../../routes/route.ts'
import { createAttemptWriter } from '../dispatch/attempt-writer.ts'
import { startDispatch } from '../dispatch/dispatch.ts'
import { startIntake } from '../intake/intake.ts'
import { createReceiptSink } from '../receipts/receipts.ts'
import { createOutbox, startOutboxSweep } from '../scheduling/outbox.ts'
import { startSettle } from './settle.ts'

const { database } = await createTestDatabase()
const { broker, topology } = await createTestBroker()
const metrics = testMetrics()
const sendToSettle = sendThroughQueue(broker.publisher, topology)
const onReceipt = createReceiptSink(sendToSettle, metrics)

const token = 'token-of-the-reports'
const routes: Route[] = []

/** The receiver of reports, as the API is: the first part of the path names the route. */
const receiver = createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    const { method = '', url = '', headers } = request
    const [, id, ...rest] = url.split('/')
    const route = routes.find((candidate) => candidate.id === id)!
    const path = `/${rest.join('/')}`
    const read = createInbound('mm7', route.options)!
    const body = Buffer.concat(chunks)
    const { receipts, answer } = read({ method, path, headers, query: new URLSearchParams(), body })
    void Promise.all(receipts.map((receipt) => onReceipt(route.id, receipt, digestLogin(route)))).then(() =>
      response.writeHead(answer.status, { 'content-type': answer.contentType }).end(answer.body),
    )
  })
}).listen(0, '127.0.0.1')
await once(receiver, 'listening')
const reports = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`
const [kt, skt] = await Promise.all(
  (['kt', 'skt'] as const).map((dialect) =>
    startMm7({ dialect, vaspId: 'vasp', reportUrl: `${reports}/${dialect}/${token}` }),
  ),
)
atEnd(async () => {
  await Promise.all([kt!.close(), skt!.close()])
  receiver.close()
  receiver.closeAllConnections()
})

async function addRoute(id: string, carrier: string, overrides: Partial<Route> = {}): Promise<void> {
  const dialect = id.startsWith('skt') ? 'skt' : 'kt'
  const { port } = dialect === 'skt' ? skt! : kt!
  const own = {
    vaspId: 'vasp',
    vasId: id,
    partnerId: 'partner',
    reportToken: token,
    skt: { relayId: '0002' },
  }
  const url = `http://127.0.0.1:${port}${dialect === 'skt' ? '/mmsr41/mm7' : '/'}`
  const route = testRoute(id, {
    ...{ channels: ['mms'], protocol: 'mm7', carriers: [carrier], accounts: [1, 2, 3] },
    ...overrides,
    options: { dialect, url, ...own, ...overrides.options },
  })
  routes.push(route)
  await upsertRoute(database, route)
}

await addRoute('kt', '10002')
await addRoute('skt', '10001')
await addRoute('kt-alone', '10002', { accounts: [11] })
// Two that send every ported number to each other.
await addRoute('kt-left', '10002', { accounts: [12], options: { portedCodes: { 4302: '10001' } } })
await addRoute('kt-right', '10001', { accounts: [12], options: { portedCodes: { 4302: '10002' } } })
// By the numbers all recipients are at KT.
await replaceRanges(database, [{ prefix: '010', carrier: '10002' }])

const placing = await openPlacing(database)
const stage = {
  ...placing,
  resultCounter: new RouteResultCounter(),
  broker,
  topology,
  database,
  metrics,
  log: quietLog,
}
await broker.declare(topology.dispatch)
const stopping = new AbortController()
const outbox = createOutbox({ ...stage, publisher: broker.publisher, stepTtlSeconds: 3_600 })
const dispatch = startDispatch(placing.routes, {
  ...stage,
  attemptWriter: createAttemptWriter(database, metrics, quietLog),
  leaseDatabase: database,
  sendToSettle,
  onReceipt,
})
const settle = startSettle({ ...stage, outbox, retentionDays: 30, signal: stopping.signal })
const intake = startIntake({ ...stage, stepTtlSeconds: 3_600, retentionDays: 30 })
const sweep = startOutboxSweep({ ...stage, outbox })
atEnd(async () => {
  stopping.abort()
  await Promise.all([intake.stop(), dispatch.stop()])
  await settle.stop()
  await sweep.stop()
})

const mms: RichStep = { channel: 'mms', content: { from: sender, title: 'Hello', text: 'Hello there' } }

/** Sends an LMS; resolves when it is closed. */
async function send(accountId: number, to: string): Promise<string> {
  const job = acceptedJob({ accountId, to, steps: [mms] })
  await broker.publisher.send(topology.accepted.normal, JSON.stringify(job))
  await waitFor(
    `${to} to close`,
    async () =>
      (await reportCodes(database, job.msgKey)).length > 0 && !(await isInFlight(database, job.msgKey)),
    { timeoutMs: 8_000 },
  )
  return job.msgKey
}

/** Routes, outcomes and reasons of its submissions in their order. */
async function attemptsOf(msgKey: string): Promise<string[]> {
  const { rows } = await database.query<{ text: string }>(
    `select concat_ws(' ', try, route_id, outcome, coalesce(outcome_code, receipt_code)) as text
       from attempts where msg_key = $1 order by step, try, part`,
    [msgKey],
  )
  return rows.map(({ text }) => text)
}

const carrierOf = async (msgKey: string): Promise<string> =>
  (await database.query<{ carrier: string }>('select carrier from reports where msg_key = $1', [msgKey]))
    .rows[0]!.carrier

const received = (carrier: typeof kt, to: string): number =>
  carrier!.submissions().filter((entry) => entry.to === to).length

suite('a ported number', () => {
  test('refused by the carrier of its range, it is delivered by the one it was ported to; the next one goes there at once', async () => {
    const to = '01012340060'
    const first = await send(1, to)
    assert.deepEqual(await reportCodes(database, first), ['10000'])
    assert.deepEqual(await attemptsOf(first), ['1 kt refused 4302', '2 skt accepted 1000'])
    assert.equal(await carrierOf(first), '10001')
    const second = await send(1, to)
    assert.deepEqual(await attemptsOf(second), ['1 skt accepted 1000'])
    assert.deepEqual([received(kt, to), received(skt, to)], [0, 2], 'each was accepted once')
    assert.deepEqual(await ledgerOf(database, 1), { accepted: 2, final: 2, inFlight: 0, gap: 0 })
  })

  test('accepted and then reported as ported, it is delivered by the other carrier', async () => {
    const to = '01012340062'
    const msgKey = await send(2, to)
    assert.deepEqual(await reportCodes(database, msgKey), ['10000'])
    assert.deepEqual(await attemptsOf(msgKey), ['1 kt accepted 4302', '2 skt accepted 1000'])
    assert.deepEqual([received(kt, to), received(skt, to)], [1, 1])
  })

  test('without a route to that carrier it fails, with the code of a number that does not exist', async () => {
    const msgKey = await send(11, '01055550060')
    assert.deepEqual(await reportCodes(database, msgKey), ['23001'])
    assert.deepEqual(await attemptsOf(msgKey), ['1 kt-alone refused 4302'])
  })

  test('that two carriers send to each other is tried three times', async () => {
    const msgKey = await send(12, '01066660060')
    assert.deepEqual(await reportCodes(database, msgKey), ['23001'])
    const tries = ['1 kt-left refused 4302', '2 kt-right refused 4302', '3 kt-left refused 4302']
    assert.deepEqual(await attemptsOf(msgKey), tries)
    assert.deepEqual(await ledgerOf(database, 12), { accepted: 1, final: 1, inFlight: 0, gap: 0 })
  })
})
