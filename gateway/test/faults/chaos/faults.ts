import { brokerMemberFaults } from './broker-member-faults.ts'
import { clockFaults } from './clock-faults.ts'
import { diskFaults } from './disk-faults.ts'
import { engineFaults } from './engine-faults.ts'
import type { ChaosFault } from './fault.ts'
import { networkFaults } from './network-faults.ts'
import { processFaults } from './process-faults.ts'
import { queueFaults } from './queue-faults.ts'
import { routeFaults } from './route-faults.ts'
import { starvationFaults } from './starvation-faults.ts'

export const faults: readonly ChaosFault[] = [
  ...processFaults,
  ...engineFaults,
  ...diskFaults,
  ...brokerMemberFaults,
  ...queueFaults,
  ...networkFaults,
  ...clockFaults,
  ...routeFaults,
  ...starvationFaults,
]
