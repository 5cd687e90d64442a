/**
 * Pauses consumers while the process cannot do the work, because it is cut off from PostgreSQL. The deliveries
 * return to the queue for other processes; otherwise their handlers would hang, and the broker, whose connection
 * is alive, would leave the deliveries with this process. A handler that continues later repeats finished work,
 * which every stage tolerates.
 */
import type { Log } from '../logging/log.ts'
import { every, type Periodic } from '../time/periodic.ts'
import type { Broker } from './broker.ts'
import type { Consumption } from './consume.ts'

const checkMs = 500

export interface ConsumeWhileOptions {
  readonly isEligible: () => boolean
  readonly log: Log
}

/** Returns the broker with consumers that pause while the process is not eligible. */
export function consumeWhile(broker: Broker, { isEligible, log }: ConsumeWhileOptions): Broker {
  const consumers = new Set<PausableConsumer>()
  let checking: Periodic | undefined
  let misses = 0

  function check(): Promise<void> {
    misses = isEligible() ? 0 : misses + 1
    for (const consumer of consumers) {
      if (misses === 0) consumer.resume()
      // Ignore the first failed check: a worker that has just started has not reached PostgreSQL yet.
      else if (misses > 1) consumer.pause()
    }
    return Promise.resolve()
  }

  const consume: Broker['consume'] = (queue, options, handler) => {
    const consumer = new PausableConsumer(queue.name, log, (signal) =>
      broker.consume(queue, options, (delivery) => untilAborted(handler(delivery), signal)),
    )
    consumers.add(consumer)
    // One timer for all: a worker has three consumers for each of its partitions, mostly idle.
    checking ??= every(checkMs, 'checking the consumers', log, check)
    return {
      get active() {
        return consumer.consumption?.active ?? false
      },
      get oldestPublishedAt() {
        return consumer.consumption?.oldestPublishedAt
      },
      async stop() {
        consumers.delete(consumer)
        await consumer.stop()
        if (consumers.size > 0) return
        const ending = checking
        checking = undefined
        await ending?.stop()
      },
    }
  }
  return Object.create(broker, { consume: { value: consume, enumerable: true } }) as Broker
}

class PausableConsumer {
  /** The current subscription. A paused consumer has none. */
  consumption: Consumption | undefined
  readonly #queueName: string
  readonly #log: Log
  readonly #start: (signal: AbortSignal) => Consumption
  #giveUp = new AbortController()
  #pausing: Promise<void> | undefined

  constructor(queueName: string, log: Log, start: (signal: AbortSignal) => Consumption) {
    this.#queueName = queueName
    this.#log = log
    this.#start = start
    this.consumption = start(this.#giveUp.signal)
  }

  resume(): void {
    if (this.consumption !== undefined || this.#pausing !== undefined) return
    this.#log.info({ queue: this.#queueName }, 'consuming again')
    this.#giveUp = new AbortController()
    this.consumption = this.#start(this.#giveUp.signal)
  }

  pause(): void {
    if (this.consumption === undefined) return
    this.#log.warn(
      { queue: this.#queueName },
      'PostgreSQL is unreachable; deliveries return to the queue for other processes. Consuming resumes when PostgreSQL responds',
    )
    this.#giveUp.abort(new Error('the delivery returns to the queue'))
    this.#pausing = this.consumption.stop().finally(() => (this.#pausing = undefined))
    this.consumption = undefined
  }

  async stop(): Promise<void> {
    await this.#pausing
    await this.consumption?.stop()
  }
}

function untilAborted(work: Promise<void>, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason as Error)
    signal.addEventListener('abort', abort, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  })
}
