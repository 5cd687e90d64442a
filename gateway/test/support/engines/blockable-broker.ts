/**
 * A broker whose publishing fails on demand while consuming and acknowledging work, like publishing
 * connections during a resource alarm of RabbitMQ. Other users of the broker are not affected.
 */
import type { Broker } from '../../../src/platform/broker/broker.ts'
import { BrokerUnavailable, type GroupPublisher } from '../../../src/platform/broker/publish.ts'

export interface BlockableBroker extends Broker {
  /**
   * `blocked` is known to accept nothing. `failing` seems to accept but rejects every job, as when an alarm
   * begins.
   */
  publishing: 'open' | 'blocked' | 'failing'
  /** Number of jobs that it refused while it was blocked or failing. */
  readonly refused: number
}

export function blockable(broker: Broker): BlockableBroker {
  let refused = 0
  const publisher = {
    get canPublish() {
      return result.publishing !== 'blocked' && broker.canPublish
    },
    accepts: () => publisher.canPublish,
    get unconfirmed() {
      return broker.publisher.unconfirmed
    },
    send(...parameters: Parameters<GroupPublisher['send']>) {
      if (result.publishing === 'open') return broker.publisher.send(...parameters)
      refused++
      return Promise.reject(new BrokerUnavailable('blocked by the test'))
    },
    close: () => broker.publisher.close(),
  } as unknown as GroupPublisher
  const result: BlockableBroker = {
    ...broker,
    publishing: 'open',
    publisher,
    get refused() {
      return refused
    },
    get canPublish() {
      return publisher.canPublish
    },
    get canConsume() {
      return broker.canConsume
    },
  }
  return result
}
