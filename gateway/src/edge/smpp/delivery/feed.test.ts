import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { addCleanup } from '../../../../test/support/cleanup.ts'
import { submitBody } from '../../../../test/support/smpp/client.ts'
import { silentLog } from '../../../../test/support/silent-log.ts'
import { waitFor } from '../../../../test/support/wait.ts'
import { statuses } from '../../../carriers/smpp/status.ts'
import type { SubmissionResult } from '../../../carriers/smpp/window.ts'
import { DeliveryBudget } from './delivery-budget.ts'
import { DeliveryFeed, type Receiver } from './feed.ts'
import type { FeedSource } from './feed-source.ts'

interface Account {
  readonly source: FeedSource
  readonly acknowledged: Set<number>
  readonly stored: Set<number>
  saved: number
}

/** `last` reports, of which every third is not for SMPP. */
function account(last: number): Account {
  const testAccount: Account = {
    acknowledged: new Set(),
    stored: new Set(),
    saved: 0,
    source: {
      position: () => Promise.resolve(testAccount.saved),
      read: (seq, limit) =>
        Promise.resolve(
          Array.from({ length: Math.min(limit, last - seq) }, (_, index) => ({
            seq: seq + index + 1,
            pdus:
              (seq + index + 1) % 3 === 0
                ? []
                : [
                    {
                      body: submitBody({ source: String(seq + index + 1) }),
                      maxFailures: 3,
                      store: () => {
                        testAccount.stored.add(seq + index + 1)
                        return Promise.resolve()
                      },
                    },
                  ],
          })),
        ),
      wait: (_seq, signal) => pause(5, undefined, { signal }).catch(() => undefined),
      save: (seq) => {
        for (let passed = testAccount.saved + 1; passed <= seq; passed++)
          if (passed % 3 !== 0)
            assert.ok(
              testAccount.acknowledged.has(passed) || testAccount.stored.has(passed),
              `passed ${passed}`,
            )
        testAccount.saved = seq
        return Promise.resolve()
      },
    },
  }
  return testAccount
}

/** A bind that responds as configured; `delivered` are the numbers it received. */
function bind(testAccount: Account, answerOf: (seq: number) => SubmissionResult | null) {
  const delivered: number[] = []
  let delivering = 0
  const receiver: Receiver = {
    get free() {
      return 10 - delivering
    },
    get delivering() {
      return delivering
    },
    deliver(body, settle) {
      const seq = Number(body.source)
      delivered.push(seq)
      delivering += 1
      const answer = answerOf(seq)
      if (answer === null) return
      setImmediate(() => {
        delivering -= 1
        if (answer.kind === 'response' && answer.commandStatus === 0) testAccount.acknowledged.add(seq)
        settle(answer)
        feed?.pump()
      })
    },
  }
  let feed: DeliveryFeed | undefined
  return { receiver, delivered, pumpedBy: (started: DeliveryFeed) => (feed = started) }
}

const response = (commandStatus: number): SubmissionResult => ({
  kind: 'response',
  commandStatus,
  messageId: '',
})
const listPending = (last: number): number[] =>
  Array.from({ length: last }, (_, index) => index + 1).filter((seq) => seq % 3 !== 0)

function start(
  testAccount: Account,
  binds: readonly ReturnType<typeof bind>[],
  budget = new DeliveryBudget(1_000_000),
): DeliveryFeed {
  const receivers = binds.map(({ receiver }) => receiver)
  const feed = new DeliveryFeed({
    source: testAccount.source,
    receivers: () => receivers,
    onResult: () => undefined,
    log: silentLog,
    budget,
  })
  for (const receiver of binds) receiver.pumpedBy(feed)
  addCleanup(() => feed.stop())
  return feed
}

test('everything is delivered over two binds, which share the work', async () => {
  const testAccount = account(1_500)
  const binds = [bind(testAccount, () => response(0)), bind(testAccount, () => response(0))]
  const feed = start(testAccount, binds)
  await waitFor('all', () => testAccount.saved === 1_500)
  await feed.stop()
  assert.deepEqual(
    [...testAccount.acknowledged].sort((a, b) => a - b),
    listPending(1_500),
  )
  for (const { delivered } of binds) assert.ok(delivered.length > 300, String(delivered.length))
})

test('lost or late deliveries are repeated, and permanent refusals are stored', async () => {
  const testAccount = account(300)
  const isOneOf = (seq: number, of: number): boolean => (seq * 7919) % of === 0
  const attempts = new Map<number, number>()
  const flaky = bind(testAccount, (seq) => {
    const tries = (attempts.get(seq) ?? 0) + 1
    attempts.set(seq, tries)
    if (isOneOf(seq, 7) && tries < 3) return { kind: 'lost', written: true, reason: 'test' }
    if (isOneOf(seq, 5) && tries < 2) return { kind: 'timeout' }
    if (isOneOf(seq, 11)) return response(statuses.ESME_RX_P_APPN)
    return response(0)
  })
  const feed = start(testAccount, [flaky])
  await waitFor('all', () => testAccount.saved === 300)
  await feed.stop()
  assert.ok(testAccount.stored.size > 5)
  assert.deepEqual(
    [...testAccount.acknowledged, ...testAccount.stored].sort((a, b) => a - b),
    listPending(300),
  )
})

test('a receipt that is always refused temporarily is stored, and the others arrive once', async () => {
  const testAccount = account(2_000)
  const picky = bind(testAccount, (seq) => response(seq === 5 ? statuses.ESME_RSYSERR : 0))
  const feed = start(testAccount, [picky])
  await waitFor('all', () => testAccount.saved === 2_000)
  await feed.stop()
  assert.deepEqual([...testAccount.stored], [5])
  const repeated = picky.delivered.filter((seq, index) => picky.delivered.indexOf(seq) !== index)
  assert.deepEqual(repeated, [5, 5])
})

test('a client that refuses everything is slowed down and gets everything when it accepts again', async () => {
  const testAccount = account(60)
  let isBusy = true
  const busy = bind(testAccount, () => response(isBusy ? statuses.ESME_RSYSERR : 0))
  const feed = start(testAccount, [busy])
  await pause(2_500)
  assert.ok(busy.delivered.length < 30, `${busy.delivered.length} deliveries were refused`)
  assert.equal(testAccount.stored.size, 0)
  isBusy = false
  await waitFor('all', () => testAccount.saved === 60)
  await feed.stop()
  assert.deepEqual([testAccount.stored.size, testAccount.acknowledged.size], [0, listPending(60).length])
})

test('a delivery is not stored while the client accepts nothing', async () => {
  const testAccount = account(1)
  let isBusy = true
  const busy = bind(testAccount, () => response(isBusy ? statuses.ESME_RTHROTTLED : 0))
  const feed = start(testAccount, [busy])
  await waitFor('more refusals than store a receipt', () => busy.delivered.length > 3)
  isBusy = false
  await waitFor('the delivery', () => testAccount.saved === 1)
  await feed.stop()
  assert.equal(testAccount.stored.size, 0)
})

test('a client that accepts ten deliveries per second gets all without a stored one', async () => {
  const testAccount = account(30)
  let second = 0
  let accepted = 0
  const throttling = bind(testAccount, () => {
    const now = Math.floor(performance.now() / 1_000)
    if (now !== second) [second, accepted] = [now, 0]
    return response(++accepted > 10 ? statuses.ESME_RTHROTTLED : 0)
  })
  const feed = start(testAccount, [throttling])
  await waitFor('all', () => testAccount.saved === 30)
  await feed.stop()
  assert.equal(testAccount.stored.size, 0)
})

test('a bind that hangs keeps the position, and the next feed begins there', async () => {
  const testAccount = account(60)
  const hanging = bind(testAccount, (seq) => (seq < 8 ? response(0) : null))
  const feed = start(testAccount, [hanging])
  await waitFor('the window to be full but for a stored receipt', () => hanging.receiver.free === 1)
  await feed.stop()
  assert.equal(testAccount.saved, 7)
  const next = start(testAccount, [bind(testAccount, () => response(0))])
  await waitFor('all', () => testAccount.saved === 60)
  await next.stop()
  assert.equal(testAccount.acknowledged.size, listPending(60).length)
})

test('deliveries without a response are stored after three attempts', async () => {
  const testAccount = account(2_000)
  const attempts = new Map<number, number>()
  // More consecutive deliveries than a window has slots.
  const silent = (seq: number): boolean => seq >= 100 && seq < 125
  const picky = bind(testAccount, (seq) => {
    attempts.set(seq, (attempts.get(seq) ?? 0) + 1)
    return silent(seq) ? { kind: 'timeout' } : response(0)
  })
  const feed = start(testAccount, [picky])
  await waitFor('all', () => testAccount.saved === 2_000)
  await feed.stop()
  assert.deepEqual(
    [...testAccount.stored].sort((a, b) => a - b),
    listPending(2_000).filter(silent),
  )
  for (const [seq, tries] of attempts)
    if (silent(seq)) assert.ok(tries >= 3, `${seq} was tried ${tries} times`)
  assert.equal(testAccount.acknowledged.size + testAccount.stored.size, listPending(2_000).length)
})

test('deliveries to a client that never responds stay pending', async () => {
  const testAccount = account(30)
  let isDeaf = true
  const bound = bind(testAccount, () => (isDeaf ? { kind: 'timeout' } : response(0)))
  const feed = start(testAccount, [bound])
  await waitFor('many timeouts', () => bound.delivered.length > 500)
  assert.deepEqual([testAccount.saved, testAccount.stored.size], [0, 0])
  isDeaf = false
  await waitFor('all', () => testAccount.saved === 30)
  await feed.stop()
  assert.equal(testAccount.stored.size, 0)
})

test('unresponsive clients leave memory to other feeds and release theirs', async () => {
  const budget = new DeliveryBudget(100_000)
  const deaf = Array.from({ length: 3 }, () => account(1_000))
  const hanging = deaf.map((testAccount) => start(testAccount, [bind(testAccount, () => null)], budget))
  await waitFor('the budget to be used up', () => budget.isUsedUp)
  const testAccount = account(300)
  const feed = start(testAccount, [bind(testAccount, () => response(0))], budget)
  await waitFor('all of the others', () => testAccount.saved === 300)
  assert.ok(budget.isUsedUp)
  await Promise.all([...hanging, feed].map((running) => running.stop()))
  budget.reserve(99_999)
  assert.ok(!budget.isUsedUp, 'everything is given back')
})
