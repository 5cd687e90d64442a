/** State shared by the request handlers of an HTTP carrier: log, ids, limits, counters and receipts. */
import type { HttpCarrierOptions } from './http-options.ts'
import { newBucket, shouldRefuseTry, takeToken } from './limits.ts'
import { mark, newMeter, perSecond } from './meter.ts'
import { ReceivedLog } from './received-log.ts'
import type { LogEntry } from './received-log.ts'
import { TimerWheel } from './timer-wheel.ts'
import { UniqueNumbers } from './unique-numbers.ts'
import { WebhookSender } from './webhook-sender.ts'
import type { WebhookResponse } from './webhook-sender.ts'

/** Each submit increments exactly one of `accepted`, `throttled`, `refused` and `abandoned`. */
export interface SubmitCounters {
  submits: number
  accepted: number
  throttled: number
  refused: number
  /** Submits discarded without being accepted, usually with a disconnect. */
  abandoned: number
}

function newSubmitCounters(): SubmitCounters {
  return { submits: 0, accepted: 0, throttled: 0, refused: 0, abandoned: 0 }
}

export class CarrierState<Entry extends LogEntry> {
  readonly log: ReceivedLog<Entry>
  readonly numbers: UniqueNumbers
  readonly receipts: WebhookSender
  /** Delayed responses. A reset does not drop them. */
  readonly timers = new TimerWheel()
  readonly #tries = new Map<string, number>()
  readonly #bucket
  readonly #meter = newMeter()
  counters = newSubmitCounters()

  constructor(options: HttpCarrierOptions, acknowledges: (reply: WebhookResponse) => boolean) {
    this.log = new ReceivedLog(options.recordLimit)
    this.numbers = new UniqueNumbers(options.seed, options.idStart)
    this.#bucket = newBucket(options.rate, Date.now())
    this.receipts = new WebhookSender({
      window: options.window,
      timeoutMs: options.receiptTimeoutMs,
      retryMs: options.receiptRetryMs,
      maxRetryMs: options.receiptMaxRetryMs,
      maxTries: options.receiptTries,
      acknowledges,
    })
  }

  countSubmit(): void {
    this.counters.submits++
    mark(this.#meter, Date.now())
  }

  /** Returns false if the rate limit is reached. */
  takeRateToken(): boolean {
    return takeToken(this.#bucket, Date.now())
  }

  /** Counts a try of `key` and returns whether it is among the first `tries`, which are refused. */
  shouldRefuseTry(key: string, tries: number): boolean {
    return shouldRefuseTry(this.#tries, key, tries)
  }

  after(delayMs: number): Promise<void> {
    return new Promise((resolve) => this.timers.after(delayMs, resolve))
  }

  submitsPerSecond(): number {
    return perSecond(this.#meter, Date.now())
  }

  reset(): void {
    this.log.clear()
    this.#tries.clear()
    this.receipts.clear()
    this.counters = newSubmitCounters()
  }
}
