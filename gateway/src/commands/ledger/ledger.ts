/** `postern ledger`: checks that every accepted message is final or in flight. Fails when there is a gap. */
import { acknowledgeGate, compareLedger } from '../../acts/ledger.ts'
import { withDatabase } from '../connect.ts'
import type { Invocation } from '../invocation.ts'
import type { Result } from '../result.ts'
import { acknowledgedResult, ledgerResult } from './view.ts'

export interface LedgerOptions {
  readonly acknowledge?: true
}

export function showLedger(invocation: Invocation, { acknowledge }: LedgerOptions): Promise<Result> {
  return withDatabase(invocation, async (database, _config, audit) => {
    if (acknowledge !== true) {
      audit.unchanged()
      const { rows, gaps, gate } = await compareLedger(database)
      return ledgerResult(rows, gaps, gate)
    }
    await audit.requireRight('messages')
    const acknowledged = await acknowledgeGate(audit)
    return acknowledgedResult(await compareLedger(database), acknowledged)
  })
}
