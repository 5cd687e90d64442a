/** All faults of the chaos run, one row each. A new fault is a new row. */
import { brokerMemberFaults } from './broker-member-faults.ts'
import { clockFaults } from './clock-faults.ts'
import { engineFaults } from './engine-faults.ts'
import type { Fault } from './fault.ts'
import { networkFaults } from './network-faults.ts'
import { processFaults } from './process-faults.ts'
import { routeFaults } from './route-faults.ts'

export const faults: readonly Fault[] = [
  ...processFaults,
  ...engineFaults,
  ...brokerMemberFaults,
  ...networkFaults,
  ...clockFaults,
  ...routeFaults,
]
