/**
 * Injects faults during a run: kills (SIGKILL) each worker, which is started again, and a RabbitMQ node if
 * the services are a cluster of this run. Never stops services of other runs.
 */
import { killService, startService } from '../../../../tools/engines/index.ts'
import { readSet } from '../../../../tools/engines/service-set.ts'
import { findReasonNotToBreak } from '../../support/processes/breakable-services.ts'
import type { Gateway } from '../../support/processes/gateway.ts'

export interface Fault {
  readonly name: string
  inject(): Promise<void>
  /** Restores the service at the end of the load. */
  restore(): Promise<void>
}

export function createFaults(workers: readonly Gateway[]): Fault[] {
  const each = workers.map(killWorker)
  return ownCluster() ? [...each, brokerNode] : each
}

function killWorker(worker: Gateway): Fault {
  return {
    name: `kill -9 of ${worker.name}, started again immediately`,
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
  return readSet()?.nodes === 3 && findReasonNotToBreak({ needsRedundancy: false }) === undefined
}
