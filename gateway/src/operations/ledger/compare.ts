/** Compares the ledger counts with the messages, per account. */
import { inTransaction, type Database } from '../../platform/database/database.ts'
import { findBatchGaps, type BatchGap } from '../../records/ledger/batches.ts'
import { findGaps, type LedgerGap } from '../../records/ledger/check.ts'
import { acknowledgeGateGaps, findGateGaps, type GateGaps } from '../../records/ledger/gate.ts'
import { readLedger, type LedgerRow } from '../../records/ledger/queries.ts'
import type { AuditRecorder } from '../audit-recorder.ts'

export interface ComparedLedger {
  readonly rows: readonly LedgerRow[]
  readonly gaps: readonly LedgerGap[]
  /** Messages that the broker confirmed but that were never recorded. */
  readonly unrecorded: GateGaps
  /** Batches whose counts disagree with their lines or messages. */
  readonly batchGaps: readonly BatchGap[]
}

export interface Differences {
  /** Number of pairs of account and day that differ. */
  readonly count: number
  readonly messages: number
}

/** Sums the absolute gaps of all accounts and days, so that gaps of opposite sign do not cancel out. */
export function sumGaps(gaps: readonly LedgerGap[]): Differences {
  return { count: gaps.length, messages: gaps.reduce((sum, { gap }) => sum + Math.abs(gap), 0) }
}

/** Reads one snapshot, so that a message closed between two statements does not count as a gap. */
export function compareLedger(database: Database): Promise<ComparedLedger> {
  return inTransaction(database, async (transaction) => {
    await transaction.query('set transaction isolation level repeatable read, read only')
    return {
      gaps: await findGaps(transaction),
      unrecorded: await findGateGaps(transaction),
      batchGaps: await findBatchGaps(transaction),
      rows: await readLedger(transaction),
    }
  })
}

/** Acknowledges the gaps found now, so that later checks do not count them. Returns them. */
export function acknowledgeUnrecorded(audit: AuditRecorder): Promise<GateGaps> {
  return audit.change(async (transaction) => {
    const gaps = await acknowledgeGateGaps(transaction)
    return [gaps, { target: 'ledger', details: { gaps: gaps.count, messages: gaps.missing } }] as const
  })
}
