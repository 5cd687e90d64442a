import { LRUCache } from 'lru-cache'
import { PushRateLimit } from './push-admission.ts'
import { getUrlHost } from '../webhook.ts'

/** Maximum hosts remembered; a forgotten one starts with an unused rate. */
const maxHosts = 10_000
/** An account that has not retried this long after its time no longer counts as waiting. */
const patienceMs = 1_000

/**
 * Limits pushes per second and host in this process, over all accounts and webhooks: together they must not overload
 * a third-party server. Accounts that wait for the same host share its rate evenly, so none delays the reports of
 * the others.
 */
export class HostRateLimiter {
  readonly #perSecond: number
  readonly #hosts = new LRUCache<string, HostRateLimit>({ max: maxHosts })

  constructor(perSecond: number) {
    this.#perSecond = perSecond
  }

  /** Returns 0 if a push may start, otherwise the milliseconds to wait before the next call. */
  consume(url: string, accountId: number, nowMs: number): number {
    const name = getUrlHost(url)
    let host = this.#hosts.get(name)
    if (host === undefined) {
      host = new HostRateLimit(this.#perSecond)
      this.#hosts.set(name, host)
    }
    return host.take(accountId, nowMs)
  }
}

interface AccountUse {
  readonly rateLimit: PushRateLimit
  /** Time of the next attempt while the account waits, otherwise of the last use. */
  until: number
  isWaiting: boolean
}

/** Rate limit of one host. An account may use the whole rate while no other waits, otherwise an equal part. */
class HostRateLimit {
  readonly #perSecond: number
  readonly #rateLimit: PushRateLimit
  readonly #accounts = new Map<number, AccountUse>()
  #waiting = 0
  #sweptAt = 0

  constructor(perSecond: number) {
    this.#perSecond = perSecond
    this.#rateLimit = new PushRateLimit(perSecond)
  }

  take(accountId: number, nowMs: number): number {
    if (nowMs - this.#sweptAt >= patienceMs) this.#forgetIdle(nowMs)
    const account = this.#getAccount(accountId)
    if (account.isWaiting) this.#waiting--
    account.rateLimit.setRate(this.#perSecond / (this.#waiting + 1))
    let waitMs = account.rateLimit.consume(nowMs)
    if (waitMs === 0) {
      waitMs = this.#rateLimit.consume(nowMs)
      if (waitMs > 0) account.rateLimit.release()
    }
    account.isWaiting = waitMs > 0
    account.until = nowMs + waitMs
    if (account.isWaiting) this.#waiting++
    return waitMs
  }

  #getAccount(accountId: number): AccountUse {
    let account = this.#accounts.get(accountId)
    if (account === undefined) {
      account = { rateLimit: new PushRateLimit(this.#perSecond), until: 0, isWaiting: false }
      this.#accounts.set(accountId, account)
    }
    return account
  }

  #forgetIdle(nowMs: number): void {
    this.#sweptAt = nowMs
    for (const [accountId, { until, isWaiting }] of this.#accounts) {
      if (nowMs - until < patienceMs) continue
      this.#accounts.delete(accountId)
      if (isWaiting) this.#waiting--
    }
  }
}
