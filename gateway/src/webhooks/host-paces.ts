/**
 * At most so many pushes a second to one host, over all accounts and webhooks of this process: many webhooks together must
 * not overload a server that belongs to somebody else. Accounts that wait for the same host share its rate evenly, so that
 * none keeps the reports of the others back. Asked by the endpoint workers before each push.
 */
import { LRUCache } from 'lru-cache'
import { Pace } from './push-admission.ts'
import { hostOf } from './webhook.ts'

/** A host that is forgotten starts with an unused rate. */
const maxHosts = 10_000
/** An account that has not asked again for this long after its time does not wait any more. */
const patienceMs = 1_000

export class HostPaces {
  readonly #perSecond: number
  readonly #hosts = new LRUCache<string, SharedPace>({ max: maxHosts })

  constructor(perSecond: number) {
    this.#perSecond = perSecond
  }

  /** 0: a push may start; otherwise how long to wait before asking again. */
  take(url: string, accountId: number, nowMs: number): number {
    const name = hostOf(url)
    let host = this.#hosts.get(name)
    if (host === undefined) {
      host = new SharedPace(this.#perSecond)
      this.#hosts.set(name, host)
    }
    return host.take(accountId, nowMs)
  }
}

interface Share {
  readonly pace: Pace
  /** Waiting if it is in the future, otherwise when it was used. */
  until: number
  waits: boolean
}

/** While nobody else waits, an account may use the whole rate; otherwise its part of it. */
class SharedPace {
  readonly #perSecond: number
  readonly #pace: Pace
  readonly #shares = new Map<number, Share>()
  #waiting = 0
  #sweptAt = 0

  constructor(perSecond: number) {
    this.#perSecond = perSecond
    this.#pace = new Pace(perSecond)
  }

  take(accountId: number, nowMs: number): number {
    if (nowMs - this.#sweptAt >= patienceMs) this.#forgetIdle(nowMs)
    const share = this.#shareOf(accountId)
    if (share.waits) this.#waiting--
    share.pace.setRate(this.#perSecond / (this.#waiting + 1))
    let waitMs = share.pace.take(nowMs)
    if (waitMs === 0) {
      waitMs = this.#pace.take(nowMs)
      if (waitMs > 0) share.pace.giveBack()
    }
    share.waits = waitMs > 0
    share.until = nowMs + waitMs
    if (share.waits) this.#waiting++
    return waitMs
  }

  #shareOf(accountId: number): Share {
    let share = this.#shares.get(accountId)
    if (share === undefined) {
      share = { pace: new Pace(this.#perSecond), until: 0, waits: false }
      this.#shares.set(accountId, share)
    }
    return share
  }

  #forgetIdle(nowMs: number): void {
    this.#sweptAt = nowMs
    for (const [accountId, { until, waits }] of this.#shares) {
      if (nowMs - until < patienceMs) continue
      this.#shares.delete(accountId)
      if (waits) this.#waiting--
    }
  }
}
