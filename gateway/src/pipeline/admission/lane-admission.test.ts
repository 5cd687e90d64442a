/** A lane at two API processes that know of each other: together they keep the limit, whichever of them accounts use. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { quietLog } from '../../../test/support/silent-log.ts'
import { LaneAdmission } from './lane-admission.ts'

interface Load {
  readonly account: number
  readonly perSecond: number
  /** Which of the processes get it. */
  readonly at: readonly number[]
}

interface Result {
  /** By account, over the measured time. */
  readonly admitted: ReadonlyMap<number, number>
  readonly refused: ReadonlyMap<number, number>
}

const stepMs = 10

/** Two processes before one queue that `capacity` messages a second leave; the last 20 of 40 seconds are measured. */
function simulate(loads: readonly Load[], capacity: number): Result {
  const processes = [0, 1].map(() => new LaneAdmission('normal', quietLog))
  const [admitted, refused] = [new Map<number, number>(), new Map<number, number>()]
  const published = { groups: 0, jobs: 0, bytes: 0 }
  const credit = new Map<string, number>()
  let [waiting, recorded] = [0, 0]
  for (let ms = 0; ms < 40_000; ms += stepMs) {
    for (const { account, perSecond, at } of loads) {
      for (const process of at) {
        const name = `${account}/${process}`
        let due = (credit.get(name) ?? 0) + (perSecond * stepMs) / 1000 / at.length
        for (; due >= 1; due--) {
          const over = processes[process]!.shares.admit({ id: account, weight: 1 }, 1, ms)
          if (over === null) waiting++
          if (ms < 20_000) continue
          const counts = over === null ? admitted : refused
          counts.set(account, (counts.get(account) ?? 0) + 1)
        }
        credit.set(name, due)
      }
    }
    const left = Math.min(waiting, (capacity * stepMs) / 1000)
    waiting -= left
    recorded += left
    if (ms % 200 !== 0) continue
    const reports = processes.map((process, index) => {
      process.depth(Math.floor(waiting), published, ms)
      const report = { recorded, coveredMs: 200, held: 0, ageMs: (waiting * 1000) / capacity }
      process.intake('worker', report, ms)
      return [`process ${index}`, process.update(ms).demands] as const
    })
    for (const [index, process] of processes.entries()) {
      const [name, demands] = reports[1 - index]!
      process.others(name, demands, ms)
    }
    recorded = 0
  }
  return { admitted, refused }
}

test('a flood at one process and small accounts at the other: the flood gets the rest, the small ones everything', () => {
  const { admitted, refused } = simulate(
    [
      { account: 1, perSecond: 10_000, at: [0] },
      { account: 2, perSecond: 30, at: [1] },
      { account: 3, perSecond: 70, at: [1] },
    ],
    2_000,
  )
  assert.deepEqual([refused.get(2), refused.get(3)], [undefined, undefined])
  const flood = admitted.get(1)! / 20
  assert.ok(flood > 1_500 && flood < 2_000, `${flood} a second`)
})

test('a flood at both processes beside one at one process: all together keep what is drained', () => {
  const { admitted, refused } = simulate(
    [
      { account: 1, perSecond: 10_000, at: [0, 1] },
      { account: 2, perSecond: 10_000, at: [1] },
      { account: 3, perSecond: 50, at: [0, 1] },
    ],
    2_000,
  )
  assert.equal(refused.get(3), undefined)
  const all = [...admitted.values()].reduce((sum, n) => sum + n, 0) / 20
  assert.ok(all > 1_600 && all < 2_200, `${all} a second`)
  assert.ok(admitted.get(2)! / 20 > 300, `${admitted.get(2)! / 20} a second`)
})

test('many small accounts at one process lose nothing to a flood at the other', () => {
  const small = Array.from({ length: 60 }, (_, n) => ({ account: 100 + n, perSecond: 25, at: [0] }))
  const { admitted, refused } = simulate([{ account: 1, perSecond: 10_000, at: [1] }, ...small], 2_000)
  assert.deepEqual([...refused.keys()], [1])
  const flood = admitted.get(1)! / 20
  assert.ok(flood > 300 && flood < 600, `${flood} a second`)
})
