/**
 * What waits in a queue, in messages and bytes. The broker counts groups of messages; the groups that this process published
 * lately tell how much is in one. What it has published since it last asked the broker is added.
 */
import type { Published } from '../../platform/broker/publish.ts'

/** Of a process that has published nothing yet: a group of one message. */
const assumed = { jobs: 1, bytes: 500 }
/** Weight of what was published since the last depth. */
const weight = 0.2

export class QueueSize {
  #before: Published | undefined
  #perGroup = assumed
  #groups = 0

  /** The depth in groups, as the broker gives it, and what this process had published by then. */
  depth(groups: number, published: Published): void {
    const since = difference(published, this.#before)
    if (since.groups > 0) {
      const part = this.#before === undefined ? 1 : weight
      this.#perGroup = {
        jobs: this.#perGroup.jobs + part * (since.jobs / since.groups - this.#perGroup.jobs),
        bytes: this.#perGroup.bytes + part * (since.bytes / since.groups - this.#perGroup.bytes),
      }
    }
    this.#before = published
    this.#groups = groups
  }

  /** By the last depth. */
  get messages(): number {
    return this.#groups * this.#perGroup.jobs
  }

  /** With what this process has published since then, as if nothing had been drained. */
  atMost(published: Published): { readonly messages: number; readonly bytes: number } {
    const since = difference(published, this.#before)
    return {
      messages: this.messages + since.jobs,
      bytes: this.#groups * this.#perGroup.bytes + since.bytes,
    }
  }
}

function difference(now: Published, before: Published | undefined): Published {
  if (before === undefined) return now
  return {
    groups: now.groups - before.groups,
    jobs: now.jobs - before.jobs,
    bytes: now.bytes - before.bytes,
  }
}
