/**
 * What waits in a queue, in messages and bytes. The broker counts groups of messages; how large they are is known from what
 * the API processes published. A queue is drained in order, so the groups that left are the oldest ones. Groups that no
 * process has reported yet, or that returned to the queue, are valued like the others that wait.
 */
import type { Published } from '../../platform/broker/publish.ts'

export const nothingPublished: Published = { groups: 0, jobs: 0, bytes: 0 }
/** Of groups that nothing is known of: a group of one message. */
const assumed: Published = { groups: 1, jobs: 1, bytes: 500 }
/** Two minutes of depths that are read five times a second. Older ones are merged by two. */
const maxSections = 600

export class QueueSize {
  #before = nothingPublished
  /** What was published between two depths, oldest first. */
  #sections: Published[] = []
  #known = nothingPublished
  #unknownGroups = 0

  /** The depth in groups, as the broker gives it, and what all API processes together had published by then. */
  depth(groups: number, published: Published): void {
    const arrived = minus(published, this.#before)
    this.#before = published
    if (arrived.groups > 0) this.#sections.push(arrived)
    this.#known = plus(this.#known, arrived)
    if (groups < this.#known.groups) this.#remove(this.#known.groups - groups)
    this.#unknownGroups = Math.max(0, groups - this.#known.groups)
    if (this.#sections.length > maxSections) this.#sections = mergedByTwo(this.#sections)
  }

  /** By the last depth. */
  get messages(): number {
    return plus(this.#known, this.#unknown).jobs
  }

  /** With what is known to be published since then, as if nothing had been drained. */
  atMost(published: Published): { readonly messages: number; readonly bytes: number } {
    const { jobs, bytes } = plus(plus(this.#known, this.#unknown), minus(published, this.#before))
    return { messages: jobs, bytes }
  }

  /** Of messages that were in the queue. */
  bytesOf(messages: number): number {
    const { jobs, bytes } = this.#typical
    return (messages * bytes) / jobs
  }

  get #unknown(): Published {
    const typical = this.#typical
    return times(typical, this.#unknownGroups / typical.groups)
  }

  get #typical(): Published {
    return [this.#known, this.#before, assumed].find(({ groups, jobs }) => groups > 0 && jobs > 0)!
  }

  #remove(groups: number): void {
    let left = groups
    while (left > 0 && this.#sections.length > 0) {
      const first = this.#sections[0]!
      const part = times(first, Math.min(1, left / first.groups))
      left -= part.groups
      this.#known = minus(this.#known, part)
      if (part.groups >= first.groups) this.#sections.shift()
      else this.#sections[0] = minus(first, part)
    }
    // Fractions of groups add up to errors of rounding.
    if (this.#sections.length === 0) this.#known = nothingPublished
  }
}

export function plus(one: Published, other: Published): Published {
  return { groups: one.groups + other.groups, jobs: one.jobs + other.jobs, bytes: one.bytes + other.bytes }
}

export function minus(now: Published, before: Published): Published {
  return plus(now, times(before, -1))
}

function times({ groups, jobs, bytes }: Published, factor: number): Published {
  return { groups: groups * factor, jobs: jobs * factor, bytes: bytes * factor }
}

function mergedByTwo(sections: readonly Published[]): Published[] {
  return Array.from({ length: Math.ceil(sections.length / 2) }, (_, nth) =>
    plus(sections[2 * nth]!, sections[2 * nth + 1] ?? nothingPublished),
  )
}
