/** The scheduler: rate, window and link are kept, urgent steps pass a crowd, and no lane starves. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isSettled, waitFor } from '../../../test/support/wait.ts'
import { AdaptiveRate } from './adaptive-rate.ts'
import { LaneScheduler, type Admission } from './lane-scheduler.ts'

const never = Number.MAX_SAFE_INTEGER

function create(capacity = 1_000, ceiling = 0): LaneScheduler<string> {
  return new LaneScheduler<string>({ capacity, rate: new AdaptiveRate({ ceiling }) })
}

/** Enters in order and notes who goes; each leaves at once. */
function crowd(
  scheduler: LaneScheduler<string>,
  lane: 'urgent' | 'normal' | 'bulk',
  count: number,
  gone: string[],
) {
  return Array.from({ length: count }, async () => {
    const turn = await scheduler.enter(lane, lane, 1, never)
    if (turn !== 'go') return
    gone.push(lane)
    scheduler.leave(1)
  })
}

test('nothing passes before it is opened or after it is closed', async () => {
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

test('an urgent step that comes last passes a crowd of others', async () => {
  const scheduler = create(1)
  scheduler.open()
  await scheduler.enter('bulk', 'first', 1, never)
  const gone: string[] = []
  const waiting = [...crowd(scheduler, 'normal', 100, gone), ...crowd(scheduler, 'bulk', 100, gone)]
  waiting.push(...crowd(scheduler, 'urgent', 3, gone))
  scheduler.leave(1)
  await Promise.all(waiting)
  assert.ok(
    gone.lastIndexOf('urgent') <= 8,
    `the last urgent one was number ${gone.lastIndexOf('urgent') + 1}`,
  )
  assert.equal(gone.length, 203)
})

test('a crowd of urgent steps leaves the other lanes their part', async () => {
  const scheduler = create(1)
  scheduler.open()
  await scheduler.enter('bulk', 'first', 1, never)
  const gone: string[] = []
  const waiting = [
    ...crowd(scheduler, 'urgent', 400, gone),
    ...crowd(scheduler, 'normal', 400, gone),
    ...crowd(scheduler, 'bulk', 400, gone),
  ]
  scheduler.leave(1)
  await Promise.all(waiting)
  const early = gone.slice(0, 210)
  const count = (lane: string): number => early.filter((name) => name === lane).length
  assert.ok(count('bulk') >= 9, `bulk ${count('bulk')}`)
  assert.ok(count('normal') >= 36, `normal ${count('normal')}`)
  assert.ok(count('urgent') >= 150, `urgent ${count('urgent')}`)
})

test('no more parts are past it than its capacity; a message of more parts goes alone', async () => {
  const scheduler = create(4)
  scheduler.open()
  assert.equal(await scheduler.enter('normal', 'large', 9, never), 'go')
  const small = scheduler.enter('normal', 'small', 1, never)
  assert.equal(await isSettled(small), false)
  scheduler.leave(9)
  assert.equal(await small, 'go')
})

test('keeps the rate over many waiting steps with one timer', async () => {
  const scheduler = create(1_000, 200)
  scheduler.open()
  const gone: string[] = []
  const started = performance.now()
  await Promise.all(crowd(scheduler, 'normal', 100, gone))
  const took = performance.now() - started
  // A hundred at two hundred a second, of which a tenth of a second may be run ahead.
  assert.ok(took >= 380, `${took} ms`)
})

test('rests for as long as the carrier asked', async () => {
  const scheduler = create()
  scheduler.open()
  scheduler.pause(150)
  const started = performance.now()
  assert.equal(await scheduler.enter('urgent', 'a', 1, never), 'go')
  assert.ok(performance.now() - started >= 145)
})

test('who is past its deadline is told so without costing the route anything', async () => {
  const scheduler = create(1_000, 1)
  scheduler.open()
  const turns = await Promise.all(
    Array.from({ length: 50 }, () => scheduler.enter('normal', 'late', 1, Date.now() - 1)),
  )
  assert.ok(turns.every((turn) => turn === 'expired'))
  assert.equal(await scheduler.enter('normal', 'a', 1, never), 'go')
})

test('sends another way who may go, and keeps the others in their order', async () => {
  const scheduler = create()
  const turns: Promise<Admission>[] = ['a', 'b', 'a', 'b'].map((job) =>
    scheduler.enter('normal', job, 1, never),
  )
  assert.equal(
    scheduler.move((job) => job === 'a'),
    2,
  )
  assert.equal(scheduler.waiting('normal'), 2)
  scheduler.open()
  assert.deepEqual(await Promise.all(turns), ['moved', 'go', 'moved', 'go'])
})

test('with probes, so many try the way and the others wait', async () => {
  const scheduler = create()
  scheduler.open(1)
  assert.equal(await scheduler.enter('normal', 'probe', 1, never), 'go')
  const next = scheduler.enter('normal', 'next', 1, never)
  assert.equal(await isSettled(next), false)
  scheduler.open()
  assert.equal(await next, 'go')
})

test('stopping turns everybody away', async () => {
  const scheduler = create()
  const waiting = scheduler.enter('normal', 'a', 1, never)
  scheduler.stop(new Error('stopping'))
  await assert.rejects(waiting, /stopping/)
  await assert.rejects(scheduler.enter('normal', 'b', 1, never), /stopping/)
  await waitFor('nobody', () => scheduler.waiting('normal') === 0)
})
