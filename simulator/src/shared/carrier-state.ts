/** The state that the handler of a carrier over HTTP works with: log, ids, limits, counters, receipts. */
import type { HttpCarrierOptions } from './http-options.ts'
import { newBucket, refusesTry, takeToken } from './limits.ts'
import { mark, newMeter, perSecond } from './meter.ts'
import { ReceivedLog } from './received-log.ts'
import type { LogEntry } from './received-log.ts'
import { TimerWheel } from './timer-wheel.ts'
import { UniqueNumbers } from './unique-numbers.ts'
import { WebhookSender } from './webhook-sender.ts'
import type { WebhookReply } from './webhook-sender.ts'

/** Every submit is counted as exactly one of accepted, throttled, refused and abandoned. */
export interface SubmitCounters {
  submits: number
  accepted: number
  throttled: number
  refused: number
  /** Submits that ended with a disconnect and were not accepted. */
  abandoned: number
}

function newSubmitCounters(): SubmitCounters {
  return { submits: 0, accepted: 0, throttled: 0, refused: 0, abandoned: 0 }
}

export class CarrierState<Entry extends LogEntry> {
  readonly log: ReceivedLog<Entry>
  readonly numbers: UniqueNumbers
  readonly receipts: WebhookSender
  /** Delayed answers; not dropped by a reset. */
  readonly timers = new TimerWheel()
  readonly #tries = new Map<string, number>()
  readonly #bucket
  readonly #meter = newMeter()
  counters = newSubmitCounters()

  constructor(options: HttpCarrierOptions, acknowledges: (reply: WebhookReply) => boolean) {
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

  /** False when the carrier's rate is used up. */
  withinRate(): boolean {
    return takeToken(this.#bucket, Date.now())
  }

  /** Whether this try of `key` is among the first `tries`, which are refused. */
  refusesTry(key: string, tries: number): boolean {
    return refusesTry(this.#tries, key, tries)
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
