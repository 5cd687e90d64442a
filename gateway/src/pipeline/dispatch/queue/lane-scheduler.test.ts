import assert from 'node:assert/strict'
import { test } from 'node:test'
import { jumpClockAhead } from '../../../../test/support/pipeline/clock-jump.ts'
import { isSettled, waitFor } from '../../../../test/support/wait.ts'
import { AdaptiveRate } from '../rate/adaptive-rate.ts'
import { LaneScheduler } from './lane-scheduler.ts'
import type { AdmissionResult } from '../step/ports.ts'

const never = Number.MAX_SAFE_INTEGER

const alone = { getAccountId: () => 1, getWeight: () => 1 }
const byAccount = { getAccountId: (account: number) => account, getWeight: () => 1 }

function create(capacity = 1_000, ceiling = 0): LaneScheduler<string> {
  return new LaneScheduler<string>({ capacity, rate: new AdaptiveRate({ ceiling }), ...alone })
}

/** Enters steps in order and records which are admitted; each leaves immediately. */
function burst(
  scheduler: LaneScheduler<string>,
  lane: 'urgent' | 'normal' | 'bulk',
  count: number,
  admitted: string[],
) {
  return Array.from({ length: count }, async () => {
    const admission = await scheduler.enter(lane, lane, 1, never)
    if (admission !== 'go') return
    admitted.push(lane)
    scheduler.leave(1)
  })
}

test('admits nothing before it is opened or after it is closed', async () => {
  const scheduler = create()
  const first = scheduler.enter('normal', 'a', 1, never)
  assert.equal(await isSettled(first), false)
  scheduler.open()
  assert.equal(await first, 'go')
  scheduler.close()
  const second = scheduler.enter('normal', 'b', 1, never)
  assert.equal(await isSettled(second), false)
  scheduler.open()
  assert.equal(await second, 'go')
})

test('an urgent step that enters last passes a backlog of others', async () => {
  const scheduler = create(1)
  scheduler.open()
  await scheduler.enter('bulk', 'first', 1, never)
  const admitted: string[] = []
  const waiting = [...burst(scheduler, 'normal', 100, admitted), ...burst(scheduler, 'bulk', 100, admitted)]
  waiting.push(...burst(scheduler, 'urgent', 3, admitted))
  scheduler.leave(1)
  await Promise.all(waiting)
  assert.ok(
    admitted.lastIndexOf('urgent') <= 8,
    `the last urgent one was number ${admitted.lastIndexOf('urgent') + 1}`,
  )
  assert.equal(admitted.length, 203)
})

test('accounts take turns within a lane: a step waits for one turn of another', async () => {
  const rate = new AdaptiveRate({ ceiling: 0 })
  const scheduler = new LaneScheduler<number>({ capacity: 1, rate, ...byAccount })
  scheduler.open()
  await scheduler.enter('normal', 1, 1, never)
  const admitted: number[] = []
  const enter = async (account: number): Promise<void> => {
    await scheduler.enter('normal', account, 1, never)
    admitted.push(account)
    scheduler.leave(1)
  }
  const waiting = Array.from({ length: 1_000 }, () => enter(1))
  waiting.push(enter(2), enter(3), enter(2))
  scheduler.leave(1)
  await Promise.all(waiting)
  assert.deepEqual(admitted.slice(0, 6), [1, 2, 3, 1, 2, 1])
  assert.equal(admitted.length, 1_003)
})

test('a turn is as many parts as the weight of the account', async () => {
  const scheduler = new LaneScheduler<number>({
    capacity: 1,
    rate: new AdaptiveRate({ ceiling: 0 }),
    getAccountId: (account) => account,
    getWeight: (account) => account,
  })
  scheduler.open()
  await scheduler.enter('normal', 1, 1, never)
  const parts = new Map<number, number>()
  const enter = async (account: number, size: number): Promise<void> => {
    await scheduler.enter('normal', account, size, never)
    parts.set(account, (parts.get(account) ?? 0) + size)
    if (parts.get(1)! <= 100) at100 = new Map(parts)
    scheduler.leave(size)
  }
  /** Parts sent by each account when account 1 has sent 100. */
  let at100 = new Map<number, number>()
  // Account 3 sends long messages.
  const waiting = [1, 2, 3, 5].flatMap((account) =>
    Array.from({ length: 1_000 }, () => enter(account, account === 3 ? 7 : 1)),
  )
  scheduler.leave(1)
  await Promise.all(waiting)
  for (const [account, sent] of at100) assert.ok(Math.abs(sent - 100 * account) <= 10, `${account}: ${sent}`)
})

test('expired entries of every account leave while it is closed', async () => {
  const rate = new AdaptiveRate({ ceiling: 0 })
  const scheduler = new LaneScheduler<number>({ capacity: 1, rate, ...byAccount })
  const stays = scheduler.enter('normal', 1, 1, never)
  const late = [2, 3].map((account) => scheduler.enter('normal', account, 1, Date.now() - 1))
  await waitFor('both to expire', async () => {
    void scheduler.enter('bulk', 4, 1, never).catch(() => undefined)
    return (await Promise.all(late.map(isSettled))).every(Boolean)
  })
  assert.deepEqual(await Promise.all(late), ['expired', 'expired'])
  assert.equal(await isSettled(stays), false)
})

test('entries past their deadline expire while the route cannot send and nothing enters', async () => {
  const scheduler = create()
  const late = [50, 300].map((ms) => scheduler.enter('normal', 'late', 1, Date.now() + ms))
  const stays = scheduler.enter('normal', 'stays', 1, never)
  await waitFor('both to expire', async () => {
    scheduler.close()
    return (await Promise.all(late.map(isSettled))).every(Boolean)
  })
  assert.deepEqual(await Promise.all(late), ['expired', 'expired'])
  assert.equal(await isSettled(stays), false)
  assert.equal(scheduler.waiting('normal'), 1)
})

test('a burst of urgent steps leaves the other lanes their part', async () => {
  const scheduler = create(1)
  scheduler.open()
  await scheduler.enter('bulk', 'first', 1, never)
  const admitted: string[] = []
  const waiting = [
    ...burst(scheduler, 'urgent', 400, admitted),
    ...burst(scheduler, 'normal', 400, admitted),
    ...burst(scheduler, 'bulk', 400, admitted),
  ]
  scheduler.leave(1)
  await Promise.all(waiting)
  // Ten rounds of 16 urgent, 4 normal and 1 bulk.
  const early = admitted.slice(0, 210)
  const count = (lane: string): number => early.filter((name) => name === lane).length
  assert.ok(count('bulk') >= 9, `bulk ${count('bulk')}`)
  assert.ok(count('normal') >= 36, `normal ${count('normal')}`)
  assert.ok(count('urgent') >= 150, `urgent ${count('urgent')}`)
})

test('admits at most its capacity; a larger message is admitted separately', async () => {
  const scheduler = create(4)
  scheduler.open()
  assert.equal(await scheduler.enter('normal', 'large', 9, never), 'go')
  const small = scheduler.enter('normal', 'small', 1, never)
  assert.equal(await isSettled(small), false)
  scheduler.leave(9)
  assert.equal(await small, 'go')
})

test('holds the rate over many waiting steps with one timer', async () => {
  const scheduler = create(1_000, 200)
  scheduler.open()
  const admitted: string[] = []
  const started = performance.now()
  await Promise.all(burst(scheduler, 'normal', 100, admitted))
  const took = performance.now() - started
  // A hundred at 200 per second, with a burst of a tenth of a second.
  assert.ok(took >= 380, `${took} ms`)
})

test('pauses as long as the carrier requests', async () => {
  const scheduler = create()
  scheduler.open()
  const started = performance.now()
  scheduler.pause(150)
  assert.equal(await scheduler.enter('urgent', 'a', 1, never), 'go')
  assert.ok(performance.now() - started >= 145)
})

test('a pause outlives the link, and lasts a minute at most', async () => {
  const scheduler = create()
  scheduler.open()
  scheduler.pause(150)
  const started = performance.now()
  scheduler.close()
  scheduler.open()
  assert.equal(scheduler.pauseMs, 150)
  assert.equal(await scheduler.enter('urgent', 'a', 1, never), 'go')
  assert.ok(performance.now() - started >= 145)
  assert.equal(scheduler.pauseMs, 0)
  scheduler.pause(3_600_000)
  assert.equal(scheduler.pauseMs, 60_000)
  scheduler.stop()
})

test('an entry past its deadline expires without using capacity or rate', async () => {
  const scheduler = create(1_000, 1)
  scheduler.open()
  const admissions = await Promise.all(
    Array.from({ length: 50 }, () => scheduler.enter('normal', 'late', 1, Date.now() - 1)),
  )
  assert.ok(admissions.every((admission) => admission === 'expired'))
  assert.equal(await scheduler.enter('normal', 'a', 1, never), 'go')
})

test('moves the entries that may move, and keeps the others in order', async () => {
  const scheduler = create()
  const admissions: Promise<AdmissionResult>[] = ['a', 'b', 'a', 'b'].map((job) =>
    scheduler.enter('normal', job, 1, never),
  )
  assert.equal(
    scheduler.remove((job) => job === 'a', 'moved'),
    2,
  )
  assert.equal(scheduler.waiting('normal'), 2)
  scheduler.open()
  assert.deepEqual(await Promise.all(admissions), ['moved', 'go', 'moved', 'go'])
})

test('admits as many entries as probes while the others wait', async () => {
  const scheduler = create()
  scheduler.open(1)
  assert.equal(await scheduler.enter('normal', 'probe', 1, never), 'go')
  const next = scheduler.enter('normal', 'next', 1, never)
  assert.equal(await isSettled(next), false)
  scheduler.open()
  assert.equal(await next, 'go')
})

test('a stopped scheduler admits no entry', async () => {
  const scheduler = create()
  const waiting = scheduler.enter('normal', 'a', 1, never)
  scheduler.stop()
  assert.equal(await waiting, 'stopping')
  assert.equal(await scheduler.enter('normal', 'b', 1, never), 'stopping')
  await waitFor('an empty lane', () => scheduler.waiting('normal') === 0)
})

test('no entry expires while the clocks disagree', async (t) => {
  const dueAt = Date.now() + 60_000
  jumpClockAhead(t)
  const scheduler = create()
  const late = scheduler.enter('normal', 'late', 1, dueAt)
  assert.equal(await isSettled(late), false)
  scheduler.open()
  assert.equal(await late, 'go')
})
