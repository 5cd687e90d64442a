/**
 * Admission, the first queue and several workers as one model: an account that floods a slow intake does not make its
 * neighbour in the lane wait for 3 seconds, and the intake is used. The clock is a number, so a run is always the same.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { quietLog } from '../../../test/support/silent-log.ts'
import { BatchSize } from '../intake/batch-size.ts'
import { LaneAdmission } from './lane-admission.ts'
import { LaneProgress } from './lane-progress.ts'

interface Job {
  readonly atMs: number
  readonly isNeighbour: boolean
}

interface Group {
  readonly jobs: readonly Job[]
  left: number
}

interface Batch {
  readonly jobs: readonly (readonly [Job, Group])[]
  readonly startedMs: number
  /** Work that is left, in messages. */
  left: number
}

const stepMs = 5
const groupsHeld = 256
const flooding = { id: 1, weight: 1 }
const neighbour = { id: 2, weight: 1 }

/** Takes groups and records them in two batches at once, as intake does. */
class Worker {
  readonly progress = new LaneProgress()
  readonly #size = new BatchSize()
  readonly #random: () => number
  #waiting: (readonly [Job, Group])[] = []
  #batches: Batch[] = []
  groups = 0

  constructor(random: () => number) {
    this.#random = random
  }

  take(group: Group, nowMs: number): void {
    this.groups++
    this.progress.taken(group.jobs.length, nowMs)
    this.#waiting.push(...group.jobs.map((job) => [job, group] as const))
  }

  /** Batches that are recorded at the same time. */
  begin(nowMs: number): number {
    while (this.#batches.length < 2 && this.#waiting.length > 0) {
      const jobs = this.#waiting.splice(0, this.#size.maxItems)
      this.#batches.push({ jobs, startedMs: nowMs, left: jobs.length * (0.7 + 0.6 * this.#random()) })
    }
    return this.#batches.length
  }

  work(perBatch: number, nowMs: number): Job[] {
    for (const batch of this.#batches) batch.left -= perBatch
    const done = this.#batches.filter(({ left }) => left <= 0)
    this.#batches = this.#batches.filter(({ left }) => left > 0)
    for (const { jobs, startedMs } of done) {
      this.#size.took(jobs.length, nowMs - startedMs)
      this.progress.recorded(jobs.length, nowMs - jobs[jobs.length >> 1]![0].atMs, nowMs)
      this.progress.left(jobs.length)
      for (const [, group] of jobs) if (--group.left === 0) this.groups--
    }
    return done.flatMap(({ jobs }) => jobs.map(([job]) => job))
  }
}

interface Load {
  readonly workers: number
  /** What all workers together record a second. */
  readonly capacity: (atMs: number) => number
  readonly flood: number
  /** The flood arrives at once each time; 0: evenly. */
  readonly burstMs: number
}

/**
 * One minute; the neighbour sends ten messages a second. Waits are those of the neighbour in the last 35 seconds: what a flood
 * sends before the limit holds is up to 15 seconds of work here.
 */
function simulate({ workers, capacity, flood, burstMs }: Load) {
  let seed = 1
  const random = (): number => (seed = (seed * 48_271) % 2_147_483_647) / 2_147_483_647
  const lane = new LaneAdmission('normal', quietLog)
  const all = Array.from({ length: workers }, () => new Worker(random))
  const queue: Group[] = []
  let published = { groups: 0, jobs: 0, bytes: 0 }
  const publish = (jobs: readonly Job[]): void => {
    if (jobs.length === 0) return
    queue.push({ jobs, left: jobs.length })
    const { groups, jobs: before, bytes } = published
    published = { groups: groups + 1, jobs: before + jobs.length, bytes: bytes + 500 * jobs.length }
  }
  const waits: number[] = []
  let [refusedOfNeighbour, recorded, owed, turn] = [0, 0, 0, 0]
  for (let ms = 0; ms < 60_000; ms += stepMs) {
    const open: Job[] = []
    if (ms % 100 === 0) {
      if (lane.shares.admit(neighbour, 1, ms) === null) open.push({ atMs: ms, isNeighbour: true })
      else refusedOfNeighbour++
    }
    owed += (flood * stepMs) / 1000
    for (; (burstMs === 0 || ms % burstMs === 0) && owed >= 10; owed -= 10) {
      if (lane.shares.admit(flooding, 10, ms) !== null) continue
      for (let n = 0; n < 10; n++) open.push({ atMs: ms, isNeighbour: false })
    }
    for (let n = 0; n < open.length; n += 64) publish(open.slice(n, n + 64))
    for (let full = 0; queue.length > 0 && full < workers;) {
      const worker = all[turn++ % workers]!
      if (worker.groups >= groupsHeld) full++
      else {
        worker.take(queue.shift()!, ms)
        full = 0
      }
    }
    const running = all.reduce((sum, worker) => sum + worker.begin(ms), 0)
    for (const worker of all) {
      for (const { atMs, isNeighbour } of worker.work((capacity(ms) * stepMs) / 1000 / running, ms)) {
        recorded++
        if (isNeighbour && atMs >= 25_000) waits.push(ms - atMs)
      }
    }
    if (ms % 200 !== 0) continue
    for (const [index, { progress }] of all.entries()) {
      const report = progress.report()
      if (report !== undefined) lane.intake(`worker ${index}`, report, ms)
    }
    lane.depth(queue.length, published, ms)
    lane.update(ms)
  }
  waits.sort((one, other) => one - other)
  const used = recorded / Array.from({ length: 60 }, (_, s) => capacity(s * 1000)).reduce((a, b) => a + b)
  return { refusedOfNeighbour, waits, median: waits[waits.length >> 1]!, longest: waits.at(-1)!, used }
}

for (const workers of [1, 2, 4, 8]) {
  for (const burstMs of [0, 500, 1_000]) {
    test(`${workers} workers at 700 and 2,000 a second, a flood ${burstMs === 0 ? 'without pause' : `every ${burstMs} ms`}: the neighbour waits less than 3 s`, () => {
      for (const perSecond of [700, 2_000]) {
        for (const flood of [1, 1.5, 4, 15]) {
          const load = { workers, capacity: () => perSecond, flood: flood * perSecond, burstMs }
          const { refusedOfNeighbour, waits, median, longest, used } = simulate(load)
          const what = `${perSecond}/s, ${flood} times: median ${median}, longest ${longest} ms, ${(100 * used).toFixed(0)} % used`
          assert.equal(refusedOfNeighbour, 0, what)
          assert.ok(waits.length > 310, `${waits.length} recorded, ${what}`)
          assert.ok(longest < 3_000, what)
          assert.ok(burstMs > 500 || used > 0.8, what)
        }
      }
    })
  }
}

test('an intake that becomes seven times slower under a flood is followed within 15 seconds', () => {
  const { refusedOfNeighbour, longest } = simulate({
    ...{ workers: 2, capacity: (atMs) => (atMs < 10_000 ? 5_000 : 700), flood: 10_000, burstMs: 0 },
  })
  assert.equal(refusedOfNeighbour, 0)
  assert.ok(longest < 3_000, `longest ${longest} ms`)
})
