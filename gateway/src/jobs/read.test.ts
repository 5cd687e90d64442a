/**
 * Jobs are read back as they were written; a job of another version or shape is refused without revealing its
 * content.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sendThroughQueue } from '../../test/support/pipeline/settle.ts'
import fc from 'fast-check'
import { testMetrics } from '../../test/support/silent-log.ts'
import type { Account } from '../identity/accounts/account.ts'
import { causes } from '../channels/cause.ts'
import type { RichChannelName, Step, TextChannelName } from '../channels/channel.ts'
import { channels } from '../channels/registry.ts'
import { createAccept } from '../pipeline/accept/accept.ts'
import { createReceiptSink } from '../pipeline/receipts/receipts.ts'
import { publishStep, publishVerdict } from '../pipeline/scheduling/release.ts'
import type { GroupPublisher } from '../platform/broker/publish.ts'
import { parseResponseJob, toResponseJob } from '../records/attempts/response-job.ts'
import type { ResponseJob, StepJob } from './jobs.ts'
import { createTopology } from './queues.ts'
import { readAcceptedJob, readReceiptJob, readRouteJob, readSettleJob, type JobReader } from './read.ts'

const metrics = testMetrics()
const topology = createTopology('test.')
const jobs: string[] = []
const publisher = {
  send(_queue: unknown, job: string) {
    jobs.push(job)
    return Promise.resolve()
  },
} as unknown as GroupPublisher

/** Removes the last published job, and returns it as a consumer receives it. */
function popJob(): Record<string, unknown> {
  return JSON.parse(jobs.pop()!) as Record<string, unknown>
}

const text = fc.string({ unit: 'grapheme' })
const time = fc.integer({ min: 0, max: 4e12 })
const nth = fc.integer({ min: 1, max: 99 })
const cause = fc.constantFrom(...causes)
const channelNames = Object.keys(channels)
const isText = (name: string): name is TextChannelName => name === 'sms' || name === 'international'
const optional = { requiredKeys: [] }
const step: fc.Arbitrary<Step> = fc.oneof(
  fc
    .tuple(
      fc.record({ channel: fc.constantFrom(...channelNames.filter(isText)), from: text, text }),
      fc.record({ originCid: text, ttlSeconds: nth }, optional),
    )
    .map(([base, more]) => ({ ...base, ...more })),
  fc
    .tuple(
      fc.record({
        channel: fc.constantFrom(
          ...channelNames.filter((name) => !isText(name)),
        ) as fc.Arbitrary<RichChannelName>,
        content: fc.dictionary(text, fc.jsonValue()),
      }),
      fc.record({ ttlSeconds: nth }, optional),
    )
    .map(([base, more]) => ({ ...base, ...more })),
)

function assertRead<Job>(read: JobReader<Job>, job: Record<string, unknown>): void {
  assert.deepEqual(read(job), { ok: true, job })
  const extended = { ...job, addedByANewerProcess: { any: 'thing' } }
  assert.deepEqual(read(extended), { ok: true, job: extended })
  for (const v of [0, 2, 17, '1', null, undefined]) assert.equal(read({ ...job, v }).ok, false)
}

test('accepted jobs are read back, other versions are refused', async () => {
  const accept = createAccept({ publisher, queues: topology.accepted, cell: '00', metrics })
  const draft = fc
    .tuple(
      fc.record({ to: text, steps: fc.array(step, { minLength: 1, maxLength: 4 }) }),
      fc.record({ ref: text, sendAt: time, paymentCode: text }, optional),
    )
    .map(([base, more]) => ({ ...base, ...more }))
  await fc.assert(
    fc.asyncProperty(draft, nth, async (checked, id) => {
      await accept({ id } as Account, checked)
      assertRead(readAcceptedJob, popJob())
    }),
  )
})

test('route jobs are read back, other versions are refused', async () => {
  const stepJob: fc.Arbitrary<StepJob> = fc
    .tuple(
      fc.record({ msgKey: text, accountId: nth, step: nth, try: nth, to: text, content: step, dueAt: time }),
      fc.record({ why: text, tries: nth, heldWhy: text, heldAt: time, releasedAt: time }, optional),
    )
    .map(([base, more]) => ({ v: 1, ...base, ...more }))
  await fc.assert(
    fc.asyncProperty(stepJob, async (job) => {
      await publishStep({ publisher, topology }, 'north', 'normal', job)
      assertRead(readRouteJob, popJob())
    }),
  )
})

test('receipts and verdicts are read back, other versions are refused', async () => {
  const sink = createReceiptSink(sendThroughQueue(publisher, topology), metrics)
  const receipt = fc.record({
    carrierId: fc.option(text),
    result: fc.constantFrom('delivered' as const, 'failed' as const),
    cause,
    code: text,
    recipient: text,
    sender: text,
    at: fc.option(time.map((ms) => new Date(ms))),
  })
  const key = fc.record({ msgKey: text, step: nth, try: nth })
  await fc.assert(
    fc.asyncProperty(receipt, key, cause, nth, time, async (received, ofStep, why, parts, at) => {
      await sink('north', received)
      const job = popJob()
      assertRead(readSettleJob, job)
      assertRead(readReceiptJob, job)
      const state = parts % 2 === 0 ? 'unclaimed' : 'claimed'
      await publishVerdict({ publisher, topology }, ofStep, { cause: why, parts, at, state })
      assertRead(readSettleJob, popJob())
    }),
  )
})

test('carrier responses are read back, other versions are refused', () => {
  const part = fc.record({
    part: nth,
    parts: nth,
    outcome: fc.constantFrom('accepted' as const, 'refused' as const, 'unknown' as const),
    carrierId: fc.option(text),
    code: fc.option(text),
    cause: fc.option(cause),
    carrier: fc.option(text),
    submittedAt: time.map((ms) => new Date(ms)),
  })
  const more = fc.record({ reportCode: text, portedTo: text }, optional)
  const step = fc.record({ msgKey: text, step: nth, try: nth, routeId: text, recipient: text })
  const hold = fc.record({ routeReason: text, heldReason: text, heldMs: time })
  const parts = fc.array(fc.tuple(part, more), { minLength: 1, maxLength: 3 })
  fc.assert(
    fc.property(step, hold, parts, nth, (key, waited, outcomes, claim) => {
      const rows = outcomes.map(([base, extra]) => ({ ...key, ...waited, ...base, ...extra }))
      const job = JSON.parse(JSON.stringify(toResponseJob(rows, claim))) as ResponseJob
      assertRead(readSettleJob, job as unknown as Record<string, unknown>)
      assert.deepEqual(parseResponseJob(job), rows)
      assert.equal(job.claim, claim)
    }),
  )
})

test('a reason names the version or field, but no content', () => {
  const secret = 'Your code is 4711'
  const content = { channel: 'sms', from: '0234567890', text: secret }
  const route = { routeId: 'north', lane: 'normal' }
  const job = { v: 1, msgKey: 'k', accountId: 1, step: 1, try: 1, to: secret, content, dueAt: 1, ...route }
  const reasons = [
    { ...job, v: 3 },
    { ...job, v: secret },
    { ...job, dueAt: secret },
    { ...job, content: { ...content, channel: secret } },
    { ...job, content: secret },
    secret,
    null,
    [],
  ].map((candidate) => {
    const parsed = readRouteJob(candidate)
    return parsed.ok ? 'read' : parsed.reason
  })
  assert.deepEqual(
    [reasons[0], reasons[2], reasons[3], reasons[6]],
    [
      'route job of version 3; this process reads version 1',
      'unreadable route job: /dueAt must be number',
      'unreadable route job: /content/channel must be equal to one of the allowed values; /content must have required properties content; /content must match a schema in anyOf',
      'unreadable route job: must be an object',
    ],
  )
  for (const reason of reasons) {
    assert.notEqual(reason, 'read')
    assert.ok(!reason.includes(secret))
  }
})
