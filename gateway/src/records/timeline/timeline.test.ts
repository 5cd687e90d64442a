import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestDatabase } from '../../../test/support/engines/database.ts'
import {
  acceptedJob,
  attempt,
  createAccount,
  longStep,
  receiptFor,
  recipient,
  recordJobs,
  smsStep,
  verdict,
} from '../../../test/support/fixtures.ts'
import { emptyOutbox } from '../../../test/support/pipeline/outbox.ts'
import { testMetrics } from '../../../test/support/silent-log.ts'
import { testScope } from '../../../test/support/pipeline/settle-scope.ts'
import { saveParked } from '../parked/queries.ts'
import { inTransaction } from '../../platform/database/database.ts'
import { createMsgKey } from '../../contract/msg-key.ts'
import { settleBatch } from '../../pipeline/settle/batch.ts'
import { recordAttempts } from '../attempts/attempts.ts'
import type { StepKey } from '../../jobs/step-key.ts'
import { endSteps } from '../../pipeline/settle/end-steps.ts'
import { claimExpired } from '../messages/expire.ts'
import type { AcceptedJob, SettleJob } from '../../jobs/jobs.ts'
import type { TimelineEvent } from './event.ts'
import { readTimeline } from './rows.ts'
import { describeMessage } from './timeline.ts'

const { database } = await createTestDatabase()
const accountId = await createAccount(database, 'acme')
const twoSteps: AcceptedJob['steps'] = [
  { channel: 'rcs', content: { from: '0212345678', secret: 'never shown' } },
  smsStep,
]
const failed = { result: 'failed', cause: 'phone-off', code: 'UNDELIV:003' } as const

async function record(overrides: Partial<AcceptedJob> = {}, dueAt?: Date): Promise<StepKey> {
  const [key] = await recordJobs(database, [acceptedJob({ accountId, ...overrides })], dueAt)
  return key!
}
async function settle(...jobs: SettleJob[]): Promise<void> {
  const items = jobs.map((job) => ({ job, isStored: false }))
  await settleBatch({ database, metrics: testMetrics(), outbox: emptyOutbox }, items, testScope())
}
const expire = (): Promise<unknown> =>
  inTransaction(database, async (transaction) =>
    endSteps(transaction, await claimExpired(transaction, new Date(), 10), 3_600),
  )
async function describe({ msgKey }: Pick<StepKey, 'msgKey'>, reveal = false): Promise<TimelineEvent[]> {
  return describeMessage(await readTimeline(database, msgKey), { reveal, now: new Date() })
}
const kinds = (events: readonly TimelineEvent[]): string[] => events.map(({ kind }) => kind)
const textOf = (events: readonly TimelineEvent[], kind: TimelineEvent['kind']): string =>
  events
    .filter((event) => event.kind === kind)
    .map(({ text }) => text)
    .join('\n')

test('accepted: account, flow, ref, and only the last digits of the number by default', async () => {
  const key = await record({ ref: 'order 7', steps: twoSteps })
  const events = await describe(key)
  assert.deepEqual(kinds(events), ['accepted', 'open'])
  assert.equal(events[0]!.text, 'accepted from account acme to *******5678, with a ref: rcs, then sms')
  assert.match(events[1]!.text, /^open: step 1 of 2 waits for its route; its deadline is 20/)
  assert.ok(!JSON.stringify(events).includes(recipient))
  assert.ok(JSON.stringify(await describe(key, true)).includes(recipient))
})

test('delivered: route, submission, receipt and close, in this order', async () => {
  const key = await record()
  const row = attempt(key, { carrierId: 'abc1' })
  await recordAttempts(database, [row])
  await settle(receiptFor(row))
  const events = await describe(key)
  assert.deepEqual(kinds(events), ['accepted', 'routed', 'submitted', 'receipt', 'ended', 'closed'])
  assert.match(textOf(events, 'submitted'), /^submitted: the carrier accepted it as abc1$/)
  assert.match(textOf(events, 'receipt'), /^receipt DELIVRD:000: delivered, by the carrier's clock at /)
  assert.match(textOf(events, 'closed'), /^closed with 10000, Delivered\. .* Next: Nothing\.$/)
})

test('a refusal and a fallback, with the raw carrier code and its meaning', async () => {
  const key = await record({ steps: twoSteps })
  await recordAttempts(database, [
    attempt(key, { outcome: 'refused', carrierId: null, code: '0000000b', cause: 'bad-number' }),
  ])
  await settle(verdict(key))
  const second = attempt({ ...key, step: 2 })
  await recordAttempts(database, [second])
  await settle(receiptFor(second, failed))
  const events = await describe(key)
  assert.deepEqual(kinds(events), [
    'accepted',
    'routed',
    'submitted',
    'ended',
    'fallback',
    'routed',
    'submitted',
    'receipt',
    'ended',
    'closed',
  ])
  assert.match(textOf(events, 'submitted'), /the carrier rejected it \(code 0000000b\): bad-number/)
  assert.equal(textOf(events, 'fallback'), 'falls back to step 2, sms')
  assert.match(textOf(events, 'ended'), /^rcs ended with 33003: /)
  assert.match(textOf(events, 'receipt'), /^receipt UNDELIV:003: failed: phone-off/)
  assert.match(textOf(events, 'closed'), /22003, Phone switched off\. The phone stayed off/)
})

test('a fallback is shown while the message is still open', async () => {
  const key = await record({ steps: twoSteps })
  await settle(verdict(key, { cause: 'no-route' }))
  const events = await describe(key)
  assert.deepEqual(
    kinds(events).filter((kind) => kind !== 'held'),
    ['accepted', 'ended', 'fallback', 'open'],
  )
  assert.match(textOf(events, 'ended'), /90000: No route for this message/)
})

test('a deadline with and without a submission before it, and an unknown outcome', async () => {
  const past = new Date(Date.now() - 1_000)
  const never = await record({}, past)
  const lost = await record({}, past)
  await recordAttempts(database, [attempt(lost, { outcome: 'unknown', carrierId: null, code: 'timeout' })])
  await expire()
  const [neverSent, unknown] = [await describe(never), await describe(lost)]
  assert.deepEqual(kinds(neverSent), ['accepted', 'deadline', 'ended', 'closed'])
  assert.equal(textOf(neverSent, 'deadline'), 'its deadline passed; it was never submitted')
  assert.match(textOf(unknown, 'submitted'), /the response is unknown \(code timeout\)/)
  assert.equal(textOf(unknown, 'deadline'), 'its deadline passed; no receipt had arrived')
  assert.match(textOf(unknown, 'closed'), /^closed with 99999/)
})

test('a timeout reported by the carrier is a receipt, not our deadline', async () => {
  const key = await record()
  await recordAttempts(database, [attempt(key)])
  await settle(receiptFor(attempt(key), { result: 'failed', cause: 'timeout', code: 'EXPIRED:000' }))
  assert.deepEqual(kinds(await describe(key)), [
    'accepted',
    'routed',
    'submitted',
    'receipt',
    'ended',
    'closed',
  ])
})

test('every part has its own events', async () => {
  const key = await record({ steps: [longStep] })
  const rows = [1, 2].map((part) => attempt(key, { part, parts: 2 }))
  await recordAttempts(database, rows)
  await settle(receiptFor(rows[1]!))
  const events = await describe(key)
  assert.match(textOf(events, 'submitted'), /^part 1 of 2 submitted: .*\npart 2 of 2 submitted: /)
  assert.match(textOf(events, 'receipt'), /^part 2 of 2 receipt DELIVRD:000: delivered/)
})

test('late, repeated and second deliveries are marked and listed after the close of the message', async () => {
  const key = await record({ steps: [smsStep, smsStep] }, new Date(Date.now() - 1))
  const [first, second] = [attempt(key), attempt({ ...key, step: 2 }, { carrierId: `2${key.msgKey}` })]
  await recordAttempts(database, [first])
  await expire()
  await recordAttempts(database, [second])
  await settle(receiptFor(second))
  const later = { receivedAt: Date.now() + 1_000 }
  await settle(receiptFor(first, later), receiptFor(first, later))
  const events = await describe(key)
  assert.deepEqual(kinds(events).slice(-2), ['closed', 'receipt'])
  assert.match(events.at(-1)!.text, /; late: .*; delivered twice: .*; received 2 times$/)
  assert.match(textOf(events, 'closed'), /^closed with 10000/)
})

test('held: the reason of a step that waits now or waited before submission', async () => {
  const key = await record()
  await database.query('delete from waiting where msg_key = $1', [key.msgKey])
  await database.query(
    `insert into waiting (msg_key, step, try, account_id, route_id, lane, parts, release_at, reason)
     values ($1, 1, 1, 1, 'north', 'bulk', 1, '2026-11-15T10:00:00Z', 'backlog')`,
    [key.msgKey],
  )
  assert.equal(
    textOf(await describe(key), 'held'),
    'held for route north in the bulk lane: the account has used its fair share of the route; not before 2026-11-15T10:00:00.000Z',
  )
  await database.query(
    `update waiting set route_id = '', reason = 'rule', rule = 'quiet-hours' where msg_key = $1`,
    [key.msgKey],
  )
  assert.match(
    textOf(await describe(key), 'held'),
    /^held in the bulk lane: the rule quiet-hours does not allow it yet;/,
  )
  await database.query('delete from waiting where msg_key = $1', [key.msgKey])
  await recordAttempts(database, [attempt(key)])
  await database.query(
    `update attempts set held_reason = 'scheduled', held_ms = 2500, route_reason = 'lowest priority number' where msg_key = $1`,
    [key.msgKey],
  )
  const events = await describe(key)
  assert.equal(textOf(events, 'held'), 'held for 2.5 s: scheduled for a later time')
  assert.equal(textOf(events, 'routed'), 'route north: lowest priority number')
})

test('parked: shown even for a message that was never recorded', async () => {
  const msgKey = createMsgKey('00', new Date())
  await saveParked(database, [{ stage: 'intake', msgKey, reason: 'error 22021', payload: Buffer.from('{}') }])
  const events = await describe({ msgKey })
  assert.deepEqual(kinds(events), ['parked'])
  assert.match(events[0]!.text, /^parked by intake as \d+ \(error 22021\)$/)
})

test('never contains content of the client', async () => {
  const key = await record({ steps: twoSteps, ref: 'my-own-ref' })
  const rows = await readTimeline(database, key.msgKey)
  const output = JSON.stringify([rows, describeMessage(rows, { reveal: true, now: new Date() })])
  for (const secret of ['never shown', '4711', 'my-own-ref']) assert.ok(!output.includes(secret), secret)
})

test('an unknown key has no events', async () => {
  assert.deepEqual(await describe({ msgKey: createMsgKey('00', new Date()) }), [])
})
