import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { recorded, submission } from '../../../../test/support/smpp/fixtures.ts'
import { hostileText } from '../../../../test/support/hostile-text.ts'
import { createBounded } from '../bounded-connector.ts'
import {
  boundOutcome,
  boundReceipt,
  boundReply,
  maxAddressLength,
  maxCodeLength,
  maxRetryAfterMs,
  maxTextLength,
} from './bounds.ts'
import { canonicalId, maxCarrierIdLength } from '../carrier-id.ts'
import type { Connector, ConnectorContext, Receipt } from '../connector.ts'

const storable = (text: string): boolean => text.isWellFormed() && !text.includes('\0')

const receipt: fc.Arbitrary<Receipt> = fc.record({
  carrierId: fc.option(hostileText),
  result: fc.constantFrom('delivered', 'failed'),
  cause: fc.constantFrom('delivered', 'failed'),
  code: hostileText,
  recipient: hostileText,
  sender: hostileText,
  at: fc.option(fc.date({ noInvalidDate: false })),
})

function assertBounded({ carrierId, code, recipient, sender, at }: Receipt): void {
  for (const [text, max] of [
    [carrierId ?? '', maxCarrierIdLength],
    [code, maxCodeLength],
    [recipient, maxAddressLength],
    [sender, maxAddressLength],
  ] as const) {
    assert.ok(text.length <= max && storable(text))
  }
  // The local year can differ by one from the limits, which are in UTC.
  if (at !== null) assert.ok(at.getFullYear() >= 1999 && at.getFullYear() <= 2100)
}

test('a receipt is bounded in every field', () => {
  fc.assert(fc.property(receipt, (given) => assertBounded(boundReceipt(given))))
})

test('a receipt and a response within the bounds are unchanged', () => {
  const short: Receipt = {
    carrierId: '00Ab-7 ',
    result: 'failed',
    cause: 'phone-off',
    code: 'UNDELIV:003',
    recipient: '+82 10-1234-5678',
    sender: '0215880000',
    at: new Date('2026-11-15T00:00:00Z'),
  }
  assert.deepEqual(boundReceipt(short), short)
  const answers = [
    { kind: 'accepted', carrierId: '00Ab-7' },
    { kind: 'throttled', code: 'smpp:0x00000058', retryAfterMs: 1_000 },
    { kind: 'refused', cause: 'bad-number', code: 'smpp:0x0000000B', text: 'ESME_RINVDSTADR' },
  ] as const
  for (const answer of answers) assert.deepEqual(boundOutcome(answer), answer)
})

test('an outcome is bounded in every field', () => {
  fc.assert(
    fc.property(hostileText, hostileText, fc.double(), (code, text, retryAfterMs) => {
      const refused = boundOutcome({ kind: 'refused', cause: 'refused', code, text })
      assert.ok(refused.kind === 'refused' && refused.code.length <= maxCodeLength && storable(refused.code))
      assert.ok(refused.text.length <= maxTextLength && storable(refused.text))
      const accepted = boundOutcome({ kind: 'accepted', carrierId: text })
      assert.ok(accepted.kind === 'accepted' && accepted.carrierId.length <= maxCarrierIdLength)
      const throttled = boundOutcome({ kind: 'throttled', code, retryAfterMs })
      assert.ok(throttled.kind === 'throttled' && throttled.code.length <= maxCodeLength)
      assert.ok(throttled.retryAfterMs >= 0 && throttled.retryAfterMs <= maxRetryAfterMs)
    }),
  )
})

test('a text longer than a part keeps its content without a part position', () => {
  const reply = { from: '01012345678', to: [], part: { bits: 8, reference: 1, part: 1, parts: 255 } } as const
  const placed = { ...reply, text: 'x'.repeat(255) }
  assert.deepEqual(boundReply(placed), placed)
  const { text, part } = boundReply({ ...reply, text: 'x'.repeat(256) })
  assert.deepEqual([text?.length, part], [256, undefined])
})

test('canonical ids match regardless of case and leading zeros', () => {
  fc.assert(
    fc.property(hostileText, (id) => {
      const stored = canonicalId(id)
      assert.ok(stored.length <= maxCarrierIdLength && storable(stored))
      assert.equal(canonicalId(stored), stored)
      assert.equal(canonicalId(` 000${id} `) || '0', canonicalId(`0${id}`) || '0')
      const bounded = boundReceipt({ ...base, carrierId: id }).carrierId!
      assert.equal(canonicalId(bounded), stored)
    }),
  )
  const long = 'AbC'.repeat(5_000)
  assert.equal(canonicalId(long), canonicalId(long.toLowerCase()))
  assert.notEqual(canonicalId(long), canonicalId(`${long}d`))
})

const base: Receipt = {
  carrierId: null,
  result: 'delivered',
  cause: 'delivered',
  code: 'DELIVRD:000',
  recipient: '01012345678',
  sender: '0215880000',
  at: null,
}

test('a created connector bounds its receipts, outcomes and reasons', async () => {
  const long = 'x'.repeat(16_000)
  let inner: ConnectorContext | undefined
  const record = recorded()
  const connector: Connector = createBounded((context) => {
    inner = context
    return {
      window: 7,
      linked: true,
      start: () => undefined,
      submit: () => Promise.resolve({ kind: 'accepted', carrierId: long }),
      stop: () => Promise.resolve(),
    }
  }, record.context)
  assert.deepEqual([connector.window, connector.linked], [7, true])
  assert.deepEqual(await connector.submit(submission()), { kind: 'accepted', carrierId: canonicalId(long) })
  await inner!.onReceipt({ ...base, carrierId: long, code: long, recipient: `${long}01012345678` })
  assertBounded(record.receipts[0]!)
  assert.equal(record.receipts[0]!.carrierId, canonicalId(long))
  assert.ok(record.receipts[0]!.recipient.endsWith('01012345678'))
  inner!.onLink(false, long)
  assert.equal(record.links[0]!.reason.length, maxTextLength)
})

test('an event that its kind does not declare is counted as undeclared', () => {
  const record = recorded()
  createBounded(
    (context) => {
      context.onEvent('reply')
      context.onEvent('toString')
      return {} as Connector
    },
    record.context,
    { events: { reply: 'A reply.' } },
  )
  assert.deepEqual(record.events, ['reply', 'undeclared'])
})

test('a file that cannot be opened in time, or throws, is a rejection', async () => {
  const opened: Promise<unknown>[] = []
  for (const openFile of [
    () => new Promise<null>(() => undefined),
    () => {
      throw new Error('any error of a dependency')
    },
  ])
    createBounded(
      (context) => {
        opened.push(context.openFile('K'))
        return {} as Connector
      },
      { ...recorded().context, openFile },
      { fileMs: 10 },
    )
  assert.deepEqual(
    (await Promise.allSettled(opened)).map(({ status }) => status),
    ['rejected', 'rejected'],
  )
})
