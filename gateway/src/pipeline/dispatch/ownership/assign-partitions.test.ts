import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { createTopology } from '../../../jobs/queues.ts'
import { listShareIds } from '../../../carriers/routes/shares.ts'
import { assignPartitions } from './assign-partitions.ts'

const partitions = 32
const names = fc.uniqueArray(fc.string({ minLength: 6, maxLength: 6 }), { minLength: 1, maxLength: 12 })

function listOwners(workers: readonly string[]): string[] {
  const owners: string[] = Array.from({ length: partitions }, () => '')
  for (const [worker, held] of assignPartitions(partitions, workers)) for (const n of held) owners[n] = worker
  return owners
}

test('every partition has one owner within the bound, in any order of workers', () => {
  fc.assert(
    fc.property(names, (workers) => {
      const assigned = assignPartitions(partitions, workers)
      const owners = listOwners(workers)
      assert.equal(owners.filter((owner) => workers.includes(owner)).length, partitions)
      for (const held of assigned.values()) assert.ok(held.size <= Math.ceil(partitions / workers.length))
      assert.deepEqual(listOwners(workers.toReversed()), owners)
    }),
  )
  assert.deepEqual(
    [...assignPartitions(partitions, ['a', 'b']).values()].map((held) => held.size),
    [16, 16],
  )
})

test('a worker that joins moves few partitions between the others', () => {
  let [between, rounds] = [0, 0]
  fc.assert(
    fc.property(names, (workers) => {
      const [before, after] = [listOwners(workers), listOwners([...workers, 'joined'])]
      const moved = before.filter((owner, n) => owner !== after[n] && after[n] !== 'joined').length
      // The bounds became smaller, so some partitions move between the others.
      assert.ok(moved <= 16, `${moved} of ${partitions}`)
      between += moved
      rounds++
    }),
  )
  assert.ok(between / rounds < 4, `${between / rounds} on average`)
})

test('the shares of a route are spread over the workers', () => {
  const topology = createTopology('')
  fc.assert(
    fc.property(
      names,
      fc.stringMatching(/^[a-z0-9-]{1,12}$/),
      fc.constantFrom(2, 4, 8, 16),
      (workers, id, owners) => {
        const owner = listOwners(workers)
        const perWorker = Map.groupBy(
          listShareIds([{ id, owners }]),
          (share) => owner[topology.getPartition(share)]!,
        )
        const most = Math.max(...[...perWorker.values()].map((shares) => shares.length))
        // Each worker has one owner if there are as many workers as owners.
        assert.ok(
          most <= Math.ceil(owners / workers.length),
          `${most} of ${owners} at one of ${workers.length}`,
        )
      },
    ),
    { numRuns: 300 },
  )
})
