/**
 * Tracks the time up to which all durable receipts are settled. Deadlines do not pass it: after an outage, or while a carrier sends
 * more receipts than are settled, the receipt of a step that was delivered in time may still wait in a queue.
 */
import type { Broker } from '../../platform/broker/broker.ts'
import type { Consumption } from '../../platform/broker/consume.ts'
import type { QueueSpec } from '../../platform/broker/queue-spec.ts'
import { clock } from '../../platform/clock.ts'
import type { Metrics } from '../../platform/metrics.ts'

export interface SettleQueue {
  readonly spec: QueueSpec
  readonly consumption: Pick<Consumption, 'oldestPublishedAt'>
}

/** Covers the time until a delivery that changes hands between two workers is counted by the second one. */
const marginMs = 1_000

export class ReceiptWatermark {
  readonly #broker: Pick<Broker, 'depth'>
  readonly #queues: readonly SettleQueue[]
  readonly #metrics: Pick<Metrics, 'receiptAge'>
  #settledThrough = clock.now()

  constructor(
    broker: Pick<Broker, 'depth'>,
    queues: readonly SettleQueue[],
    metrics: Pick<Metrics, 'receiptAge'>,
  ) {
    this.#broker = broker
    this.#queues = queues
    this.#metrics = metrics
  }

  /** When the oldest job that this process holds was published. */
  get oldestHeldAt(): Date | null {
    const held = this.#queues.flatMap(({ consumption }) => consumption.oldestPublishedAt ?? [])
    return held.length === 0 ? null : new Date(Math.min(...held))
  }

  /**
   * Returns the time up to which this worker and the others have settled all receipts, or null if jobs wait that no consumer of
   * this process has seen. `others` is the oldest time that another worker has reported. Rejects while the broker is unavailable.
   */
  async read(others: Date | null): Promise<Date | null> {
    const now = clock.now()
    // Set before the queues are read: the age grows while that fails.
    this.#metrics.receiptAge.set(Math.max(0, now - this.#settledThrough) / 1000)
    for (const { spec, consumption } of this.#queues) {
      // Counted before the held deliveries are read: a job that is delivered in between is one of them.
      const ready = await this.#broker.depth(spec)
      if (ready > 0 && consumption.oldestPublishedAt === undefined) return null
    }
    this.#settledThrough = this.oldestHeldAt?.getTime() ?? now
    this.#metrics.receiptAge.set(Math.max(0, now - this.#settledThrough) / 1000)
    return new Date(Math.min(this.#settledThrough, now - marginMs, others?.getTime() ?? now))
  }
}
