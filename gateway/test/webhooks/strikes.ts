/**
 * What is killed in the middle of a run: each worker, which a supervisor starts again, and a node of RabbitMQ where the services are a
 * cluster of this run's own. Breaks nobody else's services.
 */
import { killService, startService } from '../../../scripts/services/index.ts'
import { readSet } from '../../../scripts/services/set.ts'
import { whyNotBreakable } from '../support/processes/breakable-services.ts'
import type { Gateway } from '../support/processes/gateway.ts'

export interface Strike {
  readonly name: string
  strike(): Promise<void>
  /** Puts back what is missing; at the end of the load. */
  mend(): Promise<void>
}

export function strikesOn(workers: readonly Gateway[]): Strike[] {
  const each = workers.map(killWorker)
  return ownCluster() ? [...each, brokerNode] : each
}

function killWorker(worker: Gateway): Strike {
  return {
    name: `kill -9 of ${worker.name}, started again at once`,
    async strike() {
      await worker.kill()
      worker.start()
    },
    mend: () => worker.untilReady(),
  }
}

export const brokerStrike = 'kill -9 of a RabbitMQ node of 3'

const brokerNode: Strike = {
  name: brokerStrike,
  strike: () => killService('rabbitmq'),
  mend: () => startService('rabbitmq'),
}

function ownCluster(): boolean {
  return readSet()?.nodes === 3 && whyNotBreakable({ redundant: false }) === undefined
}
