/** Everything that is done to the gateway while it works, one row a fault. A new fault is a new row. */
import { engineFaults } from './engine-faults.ts'
import type { Fault } from './fault.ts'
import { networkFaults } from './network-faults.ts'
import { processFaults } from './process-faults.ts'

export const faults: readonly Fault[] = [...processFaults, ...engineFaults, ...networkFaults]
