/**
 * At most so many pushes a second to one host, over all accounts and webhooks of this process: many webhooks together must
 * not overload a server that belongs to somebody else. Asked by the endpoint workers before each push.
 */
import { LRUCache } from 'lru-cache'
import { Pace } from './push-admission.ts'

/** A host that is forgotten starts with an unused rate. */
const maxHosts = 10_000

export class HostPaces {
  readonly #perSecond: number
  readonly #paces = new LRUCache<string, Pace>({ max: maxHosts })

  constructor(perSecond: number) {
    this.#perSecond = perSecond
  }

  /** 0: a push may start; otherwise how long to wait before asking again. */
  take(url: string, nowMs: number): number {
    const { host } = new URL(url)
    let pace = this.#paces.get(host)
    if (pace === undefined) {
      pace = new Pace(this.#perSecond)
      this.#paces.set(host, pace)
    }
    return pace.take(nowMs)
  }
}
