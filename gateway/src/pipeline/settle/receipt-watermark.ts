import type { Broker } from '../../platform/broker/broker.ts'
import type { Consumption } from '../../platform/broker/consume.ts'
import type { QueueSpec } from '../../platform/broker/queue-spec.ts'
import { clock } from '../../platform/time/clock.ts'
import type { Metrics } from '../../platform/metrics.ts'

export interface SettleQueue {
  readonly spec: QueueSpec
  readonly consumption: Pick<Consumption, 'oldestPublishedAt'>
}

/** Covers the milliseconds in which a job has left one worker and has not reached the next. */
const marginMs = 1_000

/**
 * Tracks the time up to which all durable receipts are settled. A step whose deadline is later than this time is not ended
 * yet: after an outage, or while a carrier sends more receipts than are settled, the receipt of a step that was delivered
 * in time may still wait in a queue.
 */
export class ReceiptWatermark {
  readonly #broker: Pick<Broker, 'count'>
  readonly #queues: readonly SettleQueue[]
  readonly #metrics: Pick<Metrics, 'receiptAge'>
  #settledThrough = clock.now()

  constructor(
    broker: Pick<Broker, 'count'>,
    queues: readonly SettleQueue[],
    metrics: Pick<Metrics, 'receiptAge'>,
  ) {
    this.#broker = broker
    this.#queues = queues
    this.#metrics = metrics
  }

  /** Time at which the oldest job that this process holds was published. */
  get oldestHeldAt(): Date | null {
    const held = this.#queues.flatMap(({ consumption }) => consumption.oldestPublishedAt ?? [])
    return held.length === 0 ? null : new Date(Math.min(...held))
  }

  /**
   * Returns the time up to which this worker and the others have settled all receipts, or null if it is unknown:
   * jobs are waiting in a queue of which this process holds none, or a quorum queue has no leader.
   * `othersSettledThrough` is the same time for the other workers; null if there are none. Rejects while the broker is
   * unavailable.
   */
  async read(othersSettledThrough: Date | null): Promise<Date | null> {
    const now = clock.now()
    // Set the age before the queues are read, so it grows while that fails.
    this.#metrics.receiptAge.set(Math.max(0, now - this.#settledThrough) / 1000)
    for (const { spec, consumption } of this.#queues) {
      // Count before the held jobs are read: a job that the broker hands out in between is one of them.
      const { ready, consumers } = await this.#broker.count(spec)
      // A quorum queue without a leader reads as empty and without consumers.
      if (consumers === 0 || (ready > 0 && consumption.oldestPublishedAt === undefined)) return null
    }
    this.#settledThrough = this.oldestHeldAt?.getTime() ?? now
    this.#metrics.receiptAge.set(Math.max(0, now - this.#settledThrough) / 1000)
    return new Date(Math.min(this.#settledThrough, now - marginMs, othersSettledThrough?.getTime() ?? now))
  }
}
