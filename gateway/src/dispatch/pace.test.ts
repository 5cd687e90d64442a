/** The pace: a rate that holds over time, and a pause that holds for everybody. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Pace } from './pace.ts'

const never = new AbortController().signal

/** When each of `count` takes went through, from now. */
async function timesOf(pace: Pace, count: number, parts = 1): Promise<number[]> {
  const started = performance.now()
  const times = Array.from({ length: count }, async () => {
    await pace.take(parts, never)
    return performance.now() - started
  })
  return (await Promise.all(times)).sort((left, right) => left - right)
}

test('without a rate nobody waits', async () => {
  const times = await timesOf(new Pace(0), 1_000)
  assert.ok(times.at(-1)! < 500)
})

test('holds its rate: 100 parts a second take at least the time they need', async () => {
  const times = await timesOf(new Pace(100), 60)
  // A tenth of a second may be run ahead.
  assert.ok(times.at(-1)! >= 480, String(times.at(-1)))
  assert.ok(times.filter((time) => time < 100).length <= 25)
})

test('counts parts, not messages', async () => {
  const times = await timesOf(new Pace(100), 12, 5)
  assert.ok(times.at(-1)! >= 440, String(times.at(-1)))
})

test('a pause holds everybody, also those who wait already', async () => {
  const pace = new Pace(200)
  const waiting = timesOf(pace, 40)
  pace.pause(300)
  const times = await waiting
  // Those that were due before the pause was asked for had gone.
  assert.ok(times.filter((time) => time < 290).length <= 25)
  assert.ok(times.at(-1)! >= 290)
})

test('the longest pause counts', async () => {
  const pace = new Pace(0)
  pace.pause(150)
  pace.pause(10)
  const [time] = await timesOf(pace, 1)
  assert.ok(time! >= 145, String(time))
})

for (const [who, begin] of [
  [
    'who comes during it',
    (pace: Pace): Promise<number[]> => {
      pace.pause(500)
      return timesOf(pace, 140)
    },
  ],
  [
    'who waited already',
    (pace: Pace): Promise<number[]> => {
      const waiting = timesOf(pace, 140)
      pace.pause(500)
      return waiting
    },
  ],
] as const) {
  test(`a pause is not made up for afterwards by ${who}: the carrier asked for less, not for later`, async () => {
    const times = await begin(new Pace(200))
    const after = times.filter((time) => time >= 490 && time < 600).length
    // 22 are due in that time, 20 may be run ahead; a hundred would be the whole pause made up at once.
    assert.ok(after <= 60, `${after} went out at once`)
  })
}

test('rejects when the route stops, without waiting', async () => {
  const pace = new Pace(1)
  const stopping = new AbortController()
  await pace.take(1, stopping.signal)
  const waiting = pace.take(1, stopping.signal)
  pace.pause(60_000)
  stopping.abort()
  await assert.rejects(waiting)
})
