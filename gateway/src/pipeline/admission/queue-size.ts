/**
 * What waits in a queue, in messages and bytes. The broker counts groups of messages; what this process publishes is added
 * to running sums, and with each depth the groups that left are taken away in proportion. So the sums are right again
 * whenever the queue was empty, and what is published now does not change the size of what waits already.
 */
import type { Published } from '../../platform/broker/publish.ts'

const nothing: Published = { groups: 0, jobs: 0, bytes: 0 }
/** Of groups that others published, until this process has published some itself: a group of one message. */
const assumed: Published = { groups: 1, jobs: 1, bytes: 500 }

export class QueueSize {
  #before = nothing
  #waiting = nothing

  /** The depth in groups, as the broker gives it, and what this process had published by then. */
  depth(groups: number, published: Published): void {
    const known = sum(this.#waiting, difference(published, this.#before))
    this.#before = published
    if (groups <= known.groups) this.#waiting = times(known, known.groups === 0 ? 0 : groups / known.groups)
    else {
      // Others published them, or they returned to the queue: valued once, by what is known now.
      const like = [known, published, assumed].find((one) => one.groups > 0)!
      this.#waiting = sum(known, times(like, (groups - known.groups) / like.groups))
    }
  }

  /** By the last depth. */
  get messages(): number {
    return this.#waiting.jobs
  }

  /** With what this process has published since then, as if nothing had been drained. */
  atMost(published: Published): { readonly messages: number; readonly bytes: number } {
    const { jobs, bytes } = sum(this.#waiting, difference(published, this.#before))
    return { messages: jobs, bytes }
  }
}

function sum(one: Published, other: Published): Published {
  return { groups: one.groups + other.groups, jobs: one.jobs + other.jobs, bytes: one.bytes + other.bytes }
}

function difference(now: Published, before: Published): Published {
  return sum(now, times(before, -1))
}

function times({ groups, jobs, bytes }: Published, factor: number): Published {
  return { groups: groups * factor, jobs: jobs * factor, bytes: bytes * factor }
}
