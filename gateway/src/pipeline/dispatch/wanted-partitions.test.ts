/** Workers of several versions side by side: every partition has an owner, which keeps it until the workers change. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { hashText, mix } from '../../platform/hash.ts'
import { WantedPartitions, type Wanted } from './wanted-partitions.ts'

const partitions = 32
/** As in `ownership.ts`. */
const beatMs = 1_000

/** The assignment before shares, whose workers wrote no version. */
function assignAsBefore(workers: readonly string[]): Map<string, Set<number>> {
  const assigned = new Map(workers.map((worker) => [worker, new Set<number>()]))
  const bound = Math.ceil(partitions / workers.length)
  const pairs = workers.flatMap((worker) =>
    Array.from({ length: partitions }, (_, partition) => {
      const score = mix(hashText(worker) ^ mix(partition + 1))
      return { worker, partition, score }
    }),
  )
  pairs.sort(
    (left, right) =>
      right.score - left.score || left.partition - right.partition || (left.worker < right.worker ? -1 : 1),
  )
  const free = new Set(Array.from({ length: partitions }, (_, partition) => partition))
  for (const { worker, partition } of pairs) {
    const own = assigned.get(worker)!
    if (own.size < bound && free.delete(partition)) own.add(partition)
  }
  return assigned
}

type Version = 'before' | 'this' | 'later'

interface Simulated {
  readonly id: string
  readonly version: Version
  update(now: number): Wanted
}

/** The table of partitions, the workers, and time. */
class Cluster {
  readonly owners: (string | undefined)[] = Array.from({ length: partitions }, () => undefined)
  workers: Simulated[] = []
  now = 0
  changes = 0

  start(id: string, version: Version): void {
    const wanted = new WantedPartitions(partitions, version === 'later' ? `${id}, later` : id)
    this.workers.push({
      id,
      version,
      update: (now) => {
        const others = this.workers.filter((worker) => worker.id !== id)
        if (version === 'before') {
          const assigned = assignAsBefore(this.workers.map((worker) => worker.id)).get(id)!
          return { take: assigned, keep: assigned }
        }
        // A later version assigns differently: here the names of the workers differ.
        const name = (worker: Simulated): string => (version === 'later' ? `${worker.id}, later` : worker.id)
        const own = this.#partitionsOf((owner) => owner === id)
        const held = this.#partitionsOf((owner) => owner !== id && owner !== undefined)
        const peers = others.filter((worker) => worker.version === version).map(name)
        return wanted.update({ others: others.map(name), peers, own, held }, now)
      },
    })
  }

  stop(id: string): void {
    this.workers = this.workers.filter((worker) => worker.id !== id)
    this.owners.forEach((owner, n) => {
      if (owner === id) this.owners[n] = undefined
    })
  }

  /** The heartbeats of all workers, in any order. */
  beat(order: (count: number) => number): void {
    this.now += beatMs
    for (const left = [...this.workers]; left.length > 0;) {
      const [worker] = left.splice(order(left.length), 1)
      const { take, keep } = worker!.update(this.now)
      this.owners.forEach((owner, n) => {
        if (owner === worker!.id && !keep.has(n)) this.#set(n, undefined)
        else if (owner === undefined && take.has(n)) this.#set(n, worker!.id)
      })
    }
  }

  get unowned(): number {
    return this.#partitionsOf((owner) => owner === undefined).length
  }

  #set(partition: number, owner: string | undefined): void {
    this.owners[partition] = owner
    this.changes++
  }

  #partitionsOf(belongs: (owner: string | undefined) => boolean): number[] {
    return this.owners.flatMap((owner, n) => (belongs(owner) ? [n] : []))
  }
}

const step = fc.record({
  version: fc.constantFrom<Version>('before', 'this', 'later'),
  stops: fc.boolean(),
  which: fc.nat(),
  beats: fc.nat(5),
})

test('with any mixture of versions every partition has an owner within seconds, and keeps it', () => {
  fc.assert(
    fc.property(
      fc.array(step, { minLength: 1, maxLength: 12 }),
      fc.infiniteStream(fc.nat()),
      (steps, orders) => {
        const cluster = new Cluster()
        const order = (count: number): number => orders.next().value! % count
        for (const [n, { version, stops, which, beats }] of steps.entries()) {
          const { length } = cluster.workers
          if (stops && length > 1) cluster.stop(cluster.workers[which % length]!.id)
          else cluster.start(`worker ${n} ${which}`, version)
          for (let beat = 0; beat < beats; beat++) cluster.beat(order)
        }
        // One to free what is another's, and to take what is free after `leftFreeMs`.
        for (let beat = 0; beat < 4; beat++) cluster.beat(order)
        assert.equal(cluster.unowned, 0)
        cluster.changes = 0
        for (let beat = 0; beat < 10; beat++) cluster.beat(order)
        assert.equal(cluster.changes, 0)
      },
    ),
    { numRuns: 40 },
  )
})

test('when workers are replaced one by one, each has its part of the partitions in the end', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 6 }), fc.nat(), (count, seed) => {
      const cluster = new Cluster()
      for (let n = 0; n < count; n++) cluster.start(`${seed} before ${n}`, 'before')
      const settle = (): void => {
        for (let beat = 0; beat < 5; beat++) cluster.beat(() => 0)
        assert.equal(cluster.unowned, 0)
      }
      settle()
      for (let n = 0; n < count; n++) {
        cluster.start(`${seed} this ${n}`, 'this')
        settle()
        cluster.stop(`${seed} before ${n}`)
        settle()
      }
      const most = Math.max(
        ...[...Map.groupBy(cluster.owners, (owner) => owner).values()].map((own) => own.length),
      )
      assert.ok(most <= Math.ceil(partitions / count), `${most} partitions at one of ${count} workers`)
    }),
    { numRuns: 8 },
  )
})
