/**
 * Pauses consumers while the process cannot do the work, because it is cut off from PostgreSQL. The deliveries
 * return to the queue for other processes; otherwise their handlers would hang, and the broker, whose connection
 * is alive, would leave the deliveries with this process. A handler that continues later repeats finished work,
 * which every stage tolerates.
 */
import type { Log } from '../logging/log.ts'
import { every } from '../time/periodic.ts'
import type { Broker } from './broker.ts'
import type { Consumption } from './consume.ts'

const checkMs = 500

export interface ConsumeWhileOptions {
  readonly isEligible: () => boolean
  readonly log: Log
}

/** Returns the broker with consumers that pause while the process is not eligible. */
export function consumeWhile(broker: Broker, { isEligible, log }: ConsumeWhileOptions): Broker {
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
    // Ignore the first failed check: a worker that has just started has not reached PostgreSQL yet.
    const checking = every(checkMs, `checking the consumer of ${queue.name}`, log, async () => {
      if (isEligible()) {
        misses = 0
        if (current !== undefined) return
        log.info({ queue: queue.name }, 'consuming again')
        start()
      } else if (++misses > 1 && current !== undefined) {
        log.warn(
          { queue: queue.name },
          'PostgreSQL is unreachable; deliveries return to the queue for other processes. Consuming resumes when PostgreSQL responds',
        )
        const paused = current
        current = undefined
        giveUp.abort(new Error('the delivery returns to the queue'))
        await paused.stop()
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
