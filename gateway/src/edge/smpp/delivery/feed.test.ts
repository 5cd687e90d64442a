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
  const own: Account = {
    acknowledged: new Set(),
    stored: new Set(),
    saved: 0,
    source: {
      position: () => Promise.resolve(own.saved),
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
                        own.stored.add(seq + index + 1)
                        return Promise.resolve()
                      },
                    },
                  ],
          })),
        ),
      wait: (_seq, signal) => pause(5, undefined, { signal }).catch(() => undefined),
      save: (seq) => {
        for (let passed = own.saved + 1; passed <= seq; passed++)
          if (passed % 3 !== 0)
            assert.ok(own.acknowledged.has(passed) || own.stored.has(passed), `passed ${passed}`)
        own.saved = seq
        return Promise.resolve()
      },
    },
  }
  return own
}

/** A bind that responds as configured; `delivered` are the numbers it received. */
function bind(own: Account, answerOf: (seq: number) => SubmissionResult | null) {
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
        if (answer.kind === 'response' && answer.commandStatus === 0) own.acknowledged.add(seq)
        settle(answer)
        feed?.pump()
      })
    },
  }
  let feed: DeliveryFeed | undefined
  return { receiver, delivered, pumpedBy: (one: DeliveryFeed) => (feed = one) }
}

const response = (commandStatus: number): SubmissionResult => ({
  kind: 'response',
  commandStatus,
  messageId: '',
})
const listPending = (last: number): number[] =>
  Array.from({ length: last }, (_, index) => index + 1).filter((seq) => seq % 3 !== 0)

function start(
  own: Account,
  binds: readonly ReturnType<typeof bind>[],
  budget = new DeliveryBudget(1_000_000),
): DeliveryFeed {
  const receivers = binds.map(({ receiver }) => receiver)
  const feed = new DeliveryFeed({
    source: own.source,
    receivers: () => receivers,
    onResult: () => undefined,
    log: silentLog,
    budget,
  })
  for (const one of binds) one.pumpedBy(feed)
  addCleanup(() => feed.stop())
  return feed
}

test('everything is delivered over two binds, which share the work', async () => {
  const own = account(1_500)
  const binds = [bind(own, () => response(0)), bind(own, () => response(0))]
  const feed = start(own, binds)
  await waitFor('all', () => own.saved === 1_500)
  await feed.stop()
  assert.deepEqual(
    [...own.acknowledged].sort((a, b) => a - b),
    listPending(1_500),
  )
  for (const { delivered } of binds) assert.ok(delivered.length > 300, String(delivered.length))
})

test('lost or late deliveries are repeated, and permanent refusals are stored', async () => {
  const own = account(300)
  const random = (seq: number, of: number): boolean => (seq * 7919) % of === 0
  const attempts = new Map<number, number>()
  const flaky = bind(own, (seq) => {
    const tries = (attempts.get(seq) ?? 0) + 1
    attempts.set(seq, tries)
    if (random(seq, 7) && tries < 3) return { kind: 'lost', written: true, reason: 'test' }
    if (random(seq, 5) && tries < 2) return { kind: 'timeout' }
    if (random(seq, 11)) return response(statuses.ESME_RX_P_APPN)
    return response(0)
  })
  const feed = start(own, [flaky])
  await waitFor('all', () => own.saved === 300)
  await feed.stop()
  assert.ok(own.stored.size > 5)
  assert.deepEqual(
    [...own.acknowledged, ...own.stored].sort((a, b) => a - b),
    listPending(300),
  )
})

test('a receipt that is always refused temporarily is stored, and the others arrive once', async () => {
  const own = account(2_000)
  const picky = bind(own, (seq) => response(seq === 5 ? statuses.ESME_RSYSERR : 0))
  const feed = start(own, [picky])
  await waitFor('all', () => own.saved === 2_000)
  await feed.stop()
  assert.deepEqual([...own.stored], [5])
  const repeated = picky.delivered.filter((seq, index) => picky.delivered.indexOf(seq) !== index)
  assert.deepEqual(repeated, [5, 5])
})

test('a client that refuses everything is slowed down and gets everything when it accepts again', async () => {
  const own = account(60)
  let isBusy = true
  const busy = bind(own, () => response(isBusy ? statuses.ESME_RSYSERR : 0))
  const feed = start(own, [busy])
  await pause(2_500)
  assert.ok(busy.delivered.length < 30, `${busy.delivered.length} deliveries were refused`)
  assert.equal(own.stored.size, 0)
  isBusy = false
  await waitFor('all', () => own.saved === 60)
  await feed.stop()
  assert.deepEqual([own.stored.size, own.acknowledged.size], [0, listPending(60).length])
})

test('a delivery is not stored while the client accepts nothing', async () => {
  const own = account(1)
  let isBusy = true
  const busy = bind(own, () => response(isBusy ? statuses.ESME_RTHROTTLED : 0))
  const feed = start(own, [busy])
  await waitFor('more refusals than store a receipt', () => busy.delivered.length > 3)
  isBusy = false
  await waitFor('the delivery', () => own.saved === 1)
  await feed.stop()
  assert.equal(own.stored.size, 0)
})

test('a client that accepts ten deliveries per second gets all without a stored one', async () => {
  const own = account(30)
  let second = 0
  let accepted = 0
  const throttling = bind(own, () => {
    const now = Math.floor(performance.now() / 1_000)
    if (now !== second) [second, accepted] = [now, 0]
    return response(++accepted > 10 ? statuses.ESME_RTHROTTLED : 0)
  })
  const feed = start(own, [throttling])
  await waitFor('all', () => own.saved === 30)
  await feed.stop()
  assert.equal(own.stored.size, 0)
})

test('a bind that hangs keeps the position, and the next feed begins there', async () => {
  const own = account(60)
  const hanging = bind(own, (seq) => (seq < 8 ? response(0) : null))
  const feed = start(own, [hanging])
  await waitFor('the window to be full but for a stored receipt', () => hanging.receiver.free === 1)
  await feed.stop()
  assert.equal(own.saved, 7)
  const next = start(own, [bind(own, () => response(0))])
  await waitFor('all', () => own.saved === 60)
  await next.stop()
  assert.equal(own.acknowledged.size, listPending(60).length)
})

test('deliveries without a response are stored after three attempts', async () => {
  const own = account(2_000)
  const attempts = new Map<number, number>()
  // More consecutive deliveries than a window has slots.
  const silent = (seq: number): boolean => seq >= 100 && seq < 125
  const picky = bind(own, (seq) => {
    attempts.set(seq, (attempts.get(seq) ?? 0) + 1)
    return silent(seq) ? { kind: 'timeout' } : response(0)
  })
  const feed = start(own, [picky])
  await waitFor('all', () => own.saved === 2_000)
  await feed.stop()
  assert.deepEqual(
    [...own.stored].sort((a, b) => a - b),
    listPending(2_000).filter(silent),
  )
  for (const [seq, tries] of attempts)
    if (silent(seq)) assert.ok(tries >= 3, `${seq} was tried ${tries} times`)
  assert.equal(own.acknowledged.size + own.stored.size, listPending(2_000).length)
})

test('deliveries to a client that never responds stay pending', async () => {
  const own = account(30)
  let isDeaf = true
  const bound = bind(own, () => (isDeaf ? { kind: 'timeout' } : response(0)))
  const feed = start(own, [bound])
  await waitFor('many timeouts', () => bound.delivered.length > 500)
  assert.deepEqual([own.saved, own.stored.size], [0, 0])
  isDeaf = false
  await waitFor('all', () => own.saved === 30)
  await feed.stop()
  assert.equal(own.stored.size, 0)
})

test('unresponsive clients leave memory to other feeds and release theirs', async () => {
  const budget = new DeliveryBudget(100_000)
  const deaf = Array.from({ length: 3 }, () => account(1_000))
  const hanging = deaf.map((own) => start(own, [bind(own, () => null)], budget))
  await waitFor('the budget to be used up', () => budget.isUsedUp)
  const own = account(300)
  const feed = start(own, [bind(own, () => response(0))], budget)
  await waitFor('all of the others', () => own.saved === 300)
  assert.ok(budget.isUsedUp)
  await Promise.all([...hanging, feed].map((one) => one.stop()))
  budget.reserve(99_999)
  assert.ok(!budget.isUsedUp, 'everything is given back')
})
