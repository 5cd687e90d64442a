/**
 * Consumes only while the process can do the work. While it cannot, for example because it is cut off from PostgreSQL, its
 * deliveries return to the queue for other processes. Otherwise their handlers would hang, and the broker, whose connection
 * is alive, would leave the deliveries with this process. A handler that continues later repeats work that is done, which
 * every stage tolerates.
 */
import type { Log } from '../log.ts'
import { every } from '../periodic.ts'
import type { Broker } from './broker.ts'
import type { Consumption } from './consume.ts'

const checkMs = 500

export interface ConsumeWhileOptions {
  readonly isEligible: () => boolean
  readonly log: Log
}

/** Returns the broker with consumers that pause while the process is not eligible. */
export function consumingWhile(broker: Broker, { isEligible, log }: ConsumeWhileOptions): Broker {
  const consume: Broker['consume'] = (queue, options, handler) => {
    let current: Consumption | undefined
    let giveUp = new AbortController()
    let misses = 0
    const start = (): void => {
      giveUp = new AbortController()
      const { signal } = giveUp
      current = broker.consume(queue, options, (delivery) => untilAborted(handler(delivery), signal))
    }
    start()
    // The first miss does not count: a worker that has just started has not reached PostgreSQL yet.
    const checking = every(checkMs, `checking the consumer of ${queue.name}`, log, async () => {
      if (isEligible()) {
        misses = 0
        if (current !== undefined) return
        log.info({ queue: queue.name }, 'consuming again')
        start()
      } else if (++misses > 1 && current !== undefined) {
        log.warn(
          { queue: queue.name },
          'this process cannot process deliveries now; they go back to the queue, for other processes. It consumes again when PostgreSQL answers it',
        )
        const given = current
        current = undefined
        giveUp.abort(new Error('the delivery goes back to the queue'))
        await given.stop()
      }
    })
    return {
      get active() {
        return current?.active ?? false
      },
      get oldestPublishedAt() {
        return current?.oldestPublishedAt
      },
      async stop() {
        await checking.stop()
        await current?.stop()
      },
    }
  }
  return Object.create(broker, { consume: { value: consume, enumerable: true } }) as Broker
}

function untilAborted(work: Promise<void>, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason as Error)
    signal.addEventListener('abort', abort, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  })
}
