import { hashText, mix } from '../../../platform/hash.ts'

interface Candidate {
  readonly worker: string
  readonly partition: number
  readonly score: number
}

/**
 * Assigns partitions to workers by rendezvous hashing, so a worker that joins or leaves moves few partitions besides its
 * own, with an upper bound per worker, so two workers get half each. The same bound holds for partitions that contain
 * shares of one route: two partitions opposite each other in their circle have different workers, four that are a
 * quarter apart have four workers if there are as many, and so on. Every worker computes the same result from the same
 * list.
 */
export function assignPartitions(partitions: number, workers: readonly string[]): Map<string, Set<number>> {
  // Sorted, because `assignLast` tries the workers in this order.
  const assigned = new Map(workers.toSorted().map((worker) => [worker, new Set<number>()]))
  const candidates = rank(partitions, workers)
  const fits = createBounds(partitions, workers.length)
  const free = new Set(Array.from({ length: partitions }, (_, partition) => partition))
  for (const { worker, partition } of candidates) {
    const held = assigned.get(worker)!
    if (free.has(partition) && fits(held, partition)) {
      free.delete(partition)
      held.add(partition)
    }
  }
  for (const partition of free) assignLast(partition, candidates, assigned, fits)
  return assigned
}

function rank(partitions: number, workers: readonly string[]): Candidate[] {
  const candidates = workers.flatMap((worker) => {
    const seed = hashText(worker)
    return Array.from({ length: partitions }, (_, partition) => ({
      worker,
      partition,
      score: mix(seed ^ mix(partition + 1)),
    }))
  })
  // Ids decide between equal scores of two workers.
  return candidates.sort(
    (left, right) =>
      right.score - left.score || left.partition - right.partition || (left.worker < right.worker ? -1 : 1),
  )
}

/** Reports whether a worker may own one more partition. `instead` is a partition that it would give up for it. */
type Fits = (held: ReadonlySet<number>, partition: number, instead?: number) => boolean

function createBounds(partitions: number, workers: number): Fits {
  // Groups of partitions that are `apart` from each other; a worker may own `bound` partitions of each group.
  const families: { readonly apart: number; readonly bound: number }[] = []
  for (let size = partitions; size > 1 && Number.isInteger(size); size /= 2)
    families.push({ apart: partitions / size, bound: Math.ceil(size / workers) })
  return (held, partition, instead) =>
    families.every(({ apart, bound }) => {
      let count = 0
      for (const other of held) if (other !== instead && other % apart === partition % apart) count++
      return count < bound
    })
}

/**
 * Assigns a partition that fits no worker with room: a worker exchanges one of its own for it. In simulations
 * of 1 to 40 workers one exchange was always enough.
 */
function assignLast(
  partition: number,
  candidates: readonly Candidate[],
  assigned: ReadonlyMap<string, Set<number>>,
  fits: Fits,
): void {
  for (const { worker, partition: given } of candidates) {
    const held = assigned.get(worker)!
    if (!held.has(given) || !fits(held, partition, given)) continue
    const taker = [...assigned.values()].find((other) => other !== held && fits(other, given))
    if (taker === undefined) continue
    held.delete(given)
    held.add(partition)
    taker.add(given)
    return
  }
  const smallest = [...assigned.values()].reduce((left, right) => (right.size < left.size ? right : left))
  smallest.add(partition)
}
