import assert from 'node:assert/strict'
import { mock, suite, test } from 'node:test'
import { submission as smsSubmission } from '../../../../test/support/smpp/fixtures.ts'
import type { ConnectorContext, Receipt, Submission } from '../connector.ts'
import { selectSandboxBehaviour, standardOptions, type SandboxOptions } from './behaviour.ts'
import { createSandboxConnector } from './connector.ts'
import { findNumberBehaviour, numberBehaviours } from './number-behaviours.ts'

function open(onReceipt?: () => Promise<void>, options: Partial<SandboxOptions> = {}) {
  const receipts: Receipt[] = []
  const links: boolean[] = []
  const context: ConnectorContext = {
    onReceipt: async (receipt) => {
      receipts.push(receipt)
      await onReceipt?.()
    },
    onLink: (up) => links.push(up),
    onEvent: () => undefined,
    openFile: () => Promise.resolve(null),
    isFirstOwner: true,
    log: { info: () => undefined, warn: () => undefined, error: () => undefined },
  }
  return { connector: createSandboxConnector(context, { ...standardOptions, ...options }), receipts, links }
}

const submission = (to: string): Submission => smsSubmission({ reference: 'r', from: '0234567890', to })
const richSubmission = (to: string): Submission => ({
  ...submission(to),
  given: { channel: 'rcs', content: {} },
})

suite('outcome by the last four digits', () => {
  for (const [digits, behaviour] of Object.entries({
    ...numberBehaviours,
    '5678': numberBehaviours['0001']!,
  })) {
    test(`${digits}: ${behaviour.description}`, async () => {
      mock.timers.enable({ apis: ['setTimeout'] })
      try {
        const { connector, receipts } = open()
        connector.start()
        const to = `0101234${digits}`
        const outcome = await connector.submit(richSubmission(to))
        if (behaviour.refused !== undefined) {
          assert.ok(outcome.kind === 'refused')
          assert.equal(outcome.cause, behaviour.refused)
          mock.timers.tick(60_000)
          assert.deepEqual(receipts, [], 'a refused submission has no receipt')
          return
        }
        assert.ok(outcome.kind === 'accepted')
        const due = behaviour.delayMs ?? 100
        mock.timers.tick(due - 1)
        assert.deepEqual(receipts, [], 'not before the delay')
        mock.timers.tick(1)
        if (behaviour.receipt === null) {
          mock.timers.tick(600_000)
          assert.deepEqual(receipts, [])
          return
        }
        const result = behaviour.receipt === 'delivered' ? 'delivered' : 'failed'
        assert.deepEqual(receipts, [
          {
            carrierId: outcome.carrierId,
            result,
            cause: behaviour.receipt,
            ...(behaviour.reportCode === undefined ? {} : { reportCode: behaviour.reportCode }),
            code: `sandbox:${behaviour.receipt}`,
            recipient: to,
            sender: '0234567890',
            at: null,
          },
        ])
        mock.timers.tick(600_000)
        assert.equal(receipts.length, 1, 'one receipt, not more')
      } finally {
        mock.timers.reset()
      }
    })
  }

  test('a message to a number of fewer than four digits is delivered', () => {
    for (const to of ['', '1', '114']) assert.equal(findNumberBehaviour(to, 'sms').receipt, 'delivered')
  })

  test('the last four digits also decide for an international number', () => {
    assert.equal(findNumberBehaviour('+4915112340002', 'international').receipt, 'no-subscriber')
  })
})

test('a phone without support for a rich channel receives texts', () => {
  assert.equal(findNumberBehaviour('01012340023', 'rcs').receipt, 'unsupported')
  assert.equal(findNumberBehaviour('01012340023', 'alimtalk').receipt, 'unsupported')
  assert.equal(findNumberBehaviour('01012340023', 'sms').receipt, 'delivered')
})

suite('outcome by the options of the route', () => {
  const to = '01012340002'
  const receiptOf = (options: Partial<SandboxOptions>): unknown => {
    const selected = selectSandboxBehaviour({ ...standardOptions, ...options }, to, 'sms')
    return selected === 'throttled' ? selected : [selected.refused ?? selected.receipt, selected.delayMs]
  }

  test('delivers, slowly too, fails with the cause, refuses, or sends no receipt', () => {
    assert.deepEqual(receiptOf({ behaviour: 'delivered' }), ['delivered', undefined])
    assert.deepEqual(receiptOf({ behaviour: 'slow', delaySeconds: 7 }), ['delivered', 7_000])
    assert.deepEqual(receiptOf({ behaviour: 'failed', cause: 'phone-off' }), ['phone-off', undefined])
    assert.deepEqual(receiptOf({ behaviour: 'refused', cause: 'spam' }), ['spam', undefined])
    assert.deepEqual(receiptOf({ behaviour: 'no-receipt' }), [null, undefined])
    assert.deepEqual(receiptOf({ behaviour: 'by-number' }), ['no-subscriber', undefined])
  })

  test('throttles', async () => {
    const { connector } = open(undefined, { behaviour: 'throttled' })
    connector.start()
    const outcome = await connector.submit(submission(to))
    assert.deepEqual(outcome, { kind: 'throttled', code: 'sandbox:throttled', retryAfterMs: 1_000 })
  })

  test('keeps the link down and accepts nothing if unreachable', async () => {
    const { connector, links } = open(undefined, { behaviour: 'unreachable' })
    connector.start()
    assert.deepEqual([connector.linked, links], [false, [false]])
    assert.equal((await connector.submit(submission(to))).kind, 'unreachable')
  })
})

test('every message has its own carrier id', async () => {
  const { connector } = open()
  connector.start()
  const submissions = Array.from({ length: 50 }, () => connector.submit(submission('01012340003')))
  const ids = (await Promise.all(submissions)).map((outcome) => 'carrierId' in outcome && outcome.carrierId)
  assert.equal(new Set(ids).size, 50)
})

test('is linked from start to stop', async () => {
  const { connector, links } = open()
  assert.equal(connector.linked, false)
  connector.start()
  assert.equal(connector.linked, true)
  await connector.stop()
  assert.deepEqual([connector.linked, links], [false, [true, false]])
})

test('a stop sends the pending receipts once and leaves no timer', async () => {
  mock.timers.enable({ apis: ['setTimeout'] })
  try {
    const { connector, receipts } = open()
    connector.start()
    for (const to of ['01012340001', '01012340011', '01012340003']) await connector.submit(submission(to))
    await connector.stop()
    mock.timers.tick(60_000)
    assert.deepEqual(
      receipts.map((receipt) => receipt.recipient),
      ['01012340001', '01012340011'],
    )
  } finally {
    mock.timers.reset()
  }
})

test('a stop waits at most its limit for receipts that cannot be stored', async () => {
  const { connector } = open(() => new Promise(() => undefined))
  connector.start()
  await connector.submit(submission('01012340001'))
  await connector.stop(20)
})

test('a receipt that cannot be stored is repeated, as a carrier would do', async () => {
  mock.timers.enable({ apis: ['setTimeout'] })
  try {
    const { connector, receipts } = open(() => Promise.reject(new Error('the broker is unavailable')))
    connector.start()
    await connector.submit(submission('01012340001'))
    mock.timers.tick(100)
    await new Promise((resolve) => setImmediate(resolve))
    assert.equal(receipts.length, 1)
    mock.timers.tick(1_000)
    assert.equal(receipts.length, 2)
    assert.deepEqual(receipts[1], receipts[0])
    await connector.stop()
  } finally {
    mock.timers.reset()
  }
})

test('throttles at ten thousand pending receipts, except messages without a receipt', async () => {
  mock.timers.enable({ apis: ['setTimeout'] })
  try {
    const { connector } = open(undefined, { behaviour: 'by-number' })
    connector.start()
    const slow = submission('01012340011')
    for (let sent = 0; sent < 10_000; sent += 1) assert.equal((await connector.submit(slow)).kind, 'accepted')
    assert.equal((await connector.submit(slow)).kind, 'throttled')
    assert.equal((await connector.submit(submission('01012340008'))).kind, 'refused')
    assert.equal((await connector.submit(submission('01012340003'))).kind, 'accepted', 'it has no receipt')
    mock.timers.tick(2_000)
    assert.equal((await connector.submit(slow)).kind, 'accepted')
    await connector.stop(0)
  } finally {
    mock.timers.reset()
  }
})
