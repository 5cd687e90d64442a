/**
 * Assigns partitions to workers: by rendezvous hashing, so that a worker that joins or leaves moves few partitions besides
 * its own, with an upper bound per worker, so that two workers get half each. Every worker computes the same result from
 * the same list. Pure.
 */
import { hashText, mix } from '../../platform/hash.ts'

export function assignPartitions(partitions: number, workers: readonly string[]): Map<string, Set<number>> {
  const assigned = new Map(workers.map((worker) => [worker, new Set<number>()]))
  const bound = Math.ceil(partitions / workers.length)
  const pairs = workers.flatMap((worker) => {
    const seed = hashText(worker)
    return Array.from({ length: partitions }, (_, partition) => ({
      worker,
      partition,
      score: mix(seed ^ mix(partition + 1)),
    }))
  })
  // Equal scores of two workers are decided by their ids.
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
