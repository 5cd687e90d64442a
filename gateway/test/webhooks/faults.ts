/**
 * Faults during a run: kill -9 of each worker, which is started again, and of a RabbitMQ node when the services are a
 * cluster that belongs to this run. Never stops services of other runs.
 */
import { killService, startService } from '../../../scripts/services/index.ts'
import { readSet } from '../../../scripts/services/service-set.ts'
import { whyNotBreakable } from '../support/processes/breakable-services.ts'
import type { Gateway } from '../support/processes/gateway.ts'

export interface Fault {
  readonly name: string
  inject(): Promise<void>
  /** Restores the service at the end of the load. */
  restore(): Promise<void>
}

export function faultsFor(workers: readonly Gateway[]): Fault[] {
  const each = workers.map(killWorker)
  return ownCluster() ? [...each, brokerNode] : each
}

function killWorker(worker: Gateway): Fault {
  return {
    name: `kill -9 of ${worker.name}, started again at once`,
    async inject() {
      await worker.kill()
      worker.start()
    },
    restore: () => worker.untilReady(),
  }
}

export const brokerFaultName = 'kill -9 of a RabbitMQ node of 3'

const brokerNode: Fault = {
  name: brokerFaultName,
  inject: () => killService('rabbitmq'),
  restore: () => startService('rabbitmq'),
}

function ownCluster(): boolean {
  return readSet()?.nodes === 3 && whyNotBreakable({ redundant: false }) === undefined
}
