/** A flow through all stages after accept: a step that fails, expires or has no route starts the next one. */
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { sendThroughQueue } from '../../../test/support/settle.ts'
import { createTestBroker } from '../../../test/support/broker.ts'
import { atEnd } from '../../../test/support/cleanup.ts'
import { createTestDatabase } from '../../../test/support/database.ts'
import { emptyOutbox } from '../../../test/support/outbox.ts'
import {
  acceptedJob,
  attempt,
  isInFlight,
  ledgerOf,
  receipt,
  receiptFor,
  recordOne,
  reportCodes,
  sender,
  smsStep,
  verdict,
} from '../../../test/support/fixtures.ts'
import { openPlacing } from '../../../test/support/placing.ts'
import { joinMembers } from '../../../test/support/membership.ts'
import { quietLog, testMetrics } from '../../../test/support/silent-log.ts'
import { noWait } from '../../../test/support/deadlines.ts'
import { testScope } from '../../../test/support/settle-scope.ts'
import { smppRoute } from '../../../test/support/smpp-route.ts'
import { waitFor } from '../../../test/support/wait.ts'
import type { RichStep, Step } from '../../channels/channel.ts'
import { deliverBody } from '../../../test/support/smpp/fixtures.ts'
import { listen, type PeerSession } from '../../../test/support/smpp/peer.ts'
import { createAttemptWriter } from '../dispatch/attempt-writer.ts'
import { RouteResultCounter } from '../../routes/result-counter.ts'
import { startDispatch } from '../dispatch/dispatch.ts'
import { startIntake } from '../intake/intake.ts'
import { recordAttempts } from '../../records/attempts/attempts.ts'
import type { StepKey } from '../../jobs/step-key.ts'
import { endSteps } from './end-steps.ts'
import type { SettleJob } from '../../jobs/jobs.ts'
import { inTransaction } from '../../platform/database.ts'
import { createReceiptSink } from '../receipts/receipts.ts'
import { upsertRoute } from '../../routes/queries.ts'
import { testRoute } from '../../../test/support/routes.ts'
import { settleBatch } from './batch.ts'
import { startOutboxSweep } from '../scheduling/outbox-sweep.ts'
import { createOutbox } from '../scheduling/outbox.ts'
import { startSettle } from './settle.ts'
import { startDeadlines } from './deadlines.ts'

const { database } = await createTestDatabase()
const { broker, topology } = await createTestBroker()

/** Delivers every text except "fail", which fails, and "wait", which gets no receipt. */
const texts: string[] = []
/** The origin code that came with each text. */
const origins = new Map<string, string>()
const originCidTag = 0x1401
const carrier = await listen({
  submit_sm: (pdu, session) => {
    const text = Buffer.from(pdu.shortMessage).toString('latin1')
    for (const { tag, value } of pdu.tlvs)
      if (tag === originCidTag) origins.set(text, Buffer.from(value).toString())
    const messageId = `m${texts.push(text)}`
    session.send('submit_sm_resp', 0, pdu.sequence, { messageId })
    if (text.startsWith('wait')) return
    report(session, messageId, pdu.destination, text.startsWith('fail') ? 'UNDELIV' : 'DELIVRD')
  },
})
atEnd(() => carrier.close())
function report(session: PeerSession, id: string, source: string, stat: string): void {
  const text = `id:${id} sub:001 dlvrd:001 submit date:2611141200 done date:2611141201 stat:${stat} err:000 text:`
  session.send('deliver_sm', 0, 1_000 + texts.length, deliverBody({ source }, text))
}

await upsertRoute(database, testRoute('rich', { channels: ['rcs'], protocol: 'sandbox', options: {} }))
const textRoute = smppRoute('texts', carrier)
await upsertRoute(database, { ...textRoute, options: { ...textRoute.options, originCidTag } })
const placing = await openPlacing(database)
const { routes } = placing
await broker.declare(routes.value.map((route) => topology.queueOf(route.id)))

const metrics = testMetrics()
const stopping = new AbortController()
const { signal } = stopping
const stepTtlSeconds = 3_600
const resultCounter = new RouteResultCounter()
const stage = { ...placing, resultCounter, broker, topology, database, metrics, log: quietLog }
const outbox = createOutbox({ ...stage, publisher: broker.publisher, stepTtlSeconds })
const membership = joinMembers(database)
const dispatch = startDispatch(routes, {
  ...stage,
  attemptWriter: createAttemptWriter(database, metrics, quietLog),
  membership,
  sendToSettle: sendThroughQueue(broker.publisher, topology),
  onReceipt: createReceiptSink(sendThroughQueue(broker.publisher, topology), metrics),
})
const settle = startSettle({ ...stage, outbox, retentionDays: 30, signal })
const intake = startIntake({ ...stage, stepTtlSeconds, retentionDays: 30 })
const deadlines = startDeadlines({ ...stage, outbox, ...noWait })
const sweep = startOutboxSweep({ ...stage, outbox, membership })
atEnd(async () => {
  stopping.abort()
  await Promise.all([intake.stop(), dispatch.stop()])
  await settle.stop()
  await Promise.all([deadlines.stop(), sweep.stop()])
})

const rcs: RichStep = {
  channel: 'rcs',
  content: { from: sender, formatId: 'SS000000', content: { standalone: { text: 'hello' } } },
}
/** No route serves it. */
const alimtalk: RichStep = {
  channel: 'alimtalk',
  content: { senderKey: 'k', msgType: 'AT', templateCode: 't', text: 'hello' },
}
const sms = (text: string): Step => ({ ...smsStep, text })
const supports = '01012345678'
const supportsNot = '01012340023'
const silent = '01012340003'

async function send(accountId: number, to: string, ...steps: Step[]): Promise<string> {
  const job = acceptedJob({ accountId, to, steps, ref: 'order 7' })
  await broker.publisher.send(topology.accepted.normal, JSON.stringify(job))
  await waitFor('intake', async () => (await ledgerOf(database, accountId)).accepted > 0)
  return job.msgKey
}
const closed = (msgKey: string): Promise<true> =>
  waitFor(`${msgKey} to close`, async () => !(await isInFlight(database, msgKey)))
async function ends(accountId: number, msgKey: string, ...codes: string[]): Promise<void> {
  await closed(msgKey)
  assert.deepEqual(await reportCodes(database, msgKey), codes)
  assert.deepEqual(await ledgerOf(database, accountId), { accepted: 1, final: 1, inFlight: 0, gap: 0 })
}
const timesSent = (text: string): number => texts.filter((sent) => sent === text).length

suite('RCS with SMS after it', () => {
  test('delivered as RCS, no SMS is sent', async () => {
    await ends(1, await send(1, supports, rcs, sms('ok 1')), '10000')
    assert.equal(timesSent('ok 1'), 0)
  })

  test('not supported by the phone, it is delivered as SMS, sent once', async () => {
    await ends(2, await send(2, supportsNot, rcs, sms('ok 2')), '33101', '10000')
    assert.equal(timesSent('ok 2'), 1)
  })

  test('the origin code of the text reaches its carrier, and no text without one has it', async () => {
    const text = { ...smsStep, text: 'ok origin', originCid: '123456789' }
    await closed(await send(120, supportsNot, rcs, text))
    await closed(await send(121, supportsNot, rcs, sms('ok without')))
    assert.deepEqual([origins.get('ok origin'), origins.get('ok without')], ['123456789', undefined])
  })

  test('failed as both, both are reported', async () => {
    const msgKey = await send(3, supportsNot, rcs, sms('fail 3'))
    await closed(msgKey)
    const [first, second, ...others] = await reportCodes(database, msgKey)
    assert.deepEqual([first, second?.[0], others], ['33101', '2', []])
  })

  test('refused at once by its carrier, it is sent as SMS', async () => {
    await ends(4, await send(4, '01012340008', rcs, sms('ok 4')), '33003', '10000')
  })

  test('without a receipt by its deadline, it is sent as SMS', async () => {
    const msgKey = await send(5, silent, { ...rcs, ttlSeconds: 1 }, sms('ok 5'))
    await ends(5, msgKey, '32000', '10000')
  })
})

suite('a step that no route serves', () => {
  test('is reported as 90000 and the flow continues', async () => {
    await ends(11, await send(11, supports, rcs, alimtalk), '10000')
    await ends(12, await send(12, supportsNot, rcs, alimtalk, sms('ok 12')), '33101', '90000', '10000')
    await ends(13, await send(13, supports, alimtalk, alimtalk), '90000', '90000')
  })

  test('ends the message, even when settle gets the verdict before the release has returned', async () => {
    const steps = [alimtalk, alimtalk, alimtalk, alimtalk, alimtalk, sms('ok 14')]
    const jobs = Array.from({ length: 40 }, () => acceptedJob({ accountId: 14, to: supports, steps }))
    for (const job of jobs) await broker.publisher.send(topology.accepted.normal, JSON.stringify(job))
    await waitFor('all to close', async () => {
      const { accepted, final } = await ledgerOf(database, 14)
      return accepted === 40 && final === 40
    })
    assert.equal(timesSent('ok 14'), 40)
  })
})

test('a step whose process died before its release is released by the sweep, once', async () => {
  const key = await recordOne(database, { accountId: 21, to: supports, steps: [rcs, sms('ok 21')] })
  await inTransaction(database, (transaction) =>
    endSteps(
      transaction,
      [{ ...key, cause: 'failed', parts: 1, sentAt: new Date(), at: new Date() }],
      stepTtlSeconds,
    ),
  )
  await database.query(`update waiting set release_at = now() - interval '1 minute' where msg_key = $1`, [
    key.msgKey,
  ])
  await ends(21, key.msgKey, '33000', '10000')
  assert.equal(timesSent('ok 21'), 1)
})

for (const [index, result] of (['delivered', 'failed'] as const).entries()) {
  test(`a ${result} receipt for an earlier step does not change the outcome`, async () => {
    const account = 31 + index
    const text = `wait ${account}`
    const msgKey = await send(account, silent, { ...rcs, ttlSeconds: 1 }, sms(text))
    await waitFor('the SMS', () => timesSent(text) === 1)
    const found = await database.query<{ id: string }>(
      'select carrier_id as id from attempts where msg_key = $1 and step = 1',
      [msgKey],
    )
    const late = receipt({
      routeId: 'rich',
      carrierId: found.rows[0]!.id,
      recipient: silent,
      result,
      cause: result,
    })
    await broker.publisher.send(topology.receipts, JSON.stringify(late))
    await waitFor('the receipt to be kept', async () => {
      const kept = await database.query(
        'select from attempts where msg_key = $1 and step = 1 and result = $2',
        [msgKey, result],
      )
      return kept.rowCount === 1
    })
    assert.deepEqual(await reportCodes(database, msgKey), [])
    const session = carrier.sessions.at(-1)!
    report(session, `m${texts.indexOf(text) + 1}`, '821012340003', 'DELIVRD')
    await ends(account, msgKey, '32000', '10000')
    assert.equal(timesSent(text), 1)
  })
}

suite('receipts of an earlier step and of the current one in one batch', () => {
  const settleTogether = (...jobs: SettleJob[]): Promise<unknown> =>
    settleBatch(
      { database, metrics, outbox: emptyOutbox },
      jobs.map((job) => ({ job, byRecipient: false })),
      testScope(),
    )
  /** A message at its second step, with an attempt of each step. */
  async function atSecond(): Promise<{
    first: StepKey
    jobs: [old: SettleJob, current: SettleJob]
  }> {
    const first = await recordOne(database, { steps: [sms('one'), sms('two')] })
    const [one, two] = [attempt(first), attempt({ ...first, step: 2 }, { carrierId: `2-${first.msgKey}` })]
    await recordAttempts(database, [one, two])
    await inTransaction(database, (transaction) =>
      endSteps(
        transaction,
        [{ ...first, cause: 'timeout', parts: 1, sentAt: new Date(), at: new Date() }],
        stepTtlSeconds,
      ),
    )
    await database.query(`update in_flight set state = 'claimed' where msg_key = $1`, [first.msgKey])
    return { first, jobs: [receiptFor(one, { result: 'failed', cause: 'spam' }), receiptFor(two)] }
  }

  test('the current one decides, even if its receipt arrives second', async () => {
    const { first, jobs } = await atSecond()
    await settleTogether(...jobs)
    assert.deepEqual(await reportCodes(database, first.msgKey), ['22000', '10000'])
  })

  test('the current one decides, even if its receipt arrives first', async () => {
    const { first, jobs } = await atSecond()
    await settleTogether(jobs[1], jobs[0])
    assert.deepEqual(await reportCodes(database, first.msgKey), ['22000', '10000'])
  })

  test('the current one decides, even if a verdict on the old one is repeated', async () => {
    const { first, jobs } = await atSecond()
    await settleTogether(verdict(first), jobs[1])
    assert.deepEqual(await reportCodes(database, first.msgKey), ['22000', '10000'])
  })
})

test('a content that PostgreSQL cannot parse delays no other deadline', async () => {
  const other = await createTestDatabase()
  const past = new Date(Date.now() - 1_000)
  const poison: RichStep = { ...alimtalk, content: { ...alimtalk.content, text: 'a\u0000b' } }
  await recordOne(other.database, { steps: [poison] }, past)
  const good = await recordOne(other.database, {}, past)
  const own = startDeadlines({
    ...stage,
    database: other.database,
    outbox: emptyOutbox,
    ...noWait,
  })
  try {
    await waitFor('the good one', async () => !(await isInFlight(other.database, good.msgKey)))
  } finally {
    await own.stop()
  }
})
