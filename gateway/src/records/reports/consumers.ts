/** Consumers of reports: those of clients, and that of receipts over SMPP. */
import type { Queryable } from '../../platform/database.ts'
import { consumersOf } from '../consumers.ts'
import { lastSeqOf } from './queries.ts'

export const reportConsumers = consumersOf('report_consumers')

/** What the SMPP server reads reports and replies as: a name that no client can use. */
export const smppConsumer = '~smpp'

/**
 * For an account that may use SMPP from now on: it is owed no receipt of what was reported before. One that had it earlier goes on
 * where it was.
 */
export async function beginReceipts(transaction: Queryable, accountId: number): Promise<void> {
  await reportConsumers.begin(transaction, accountId, smppConsumer, await lastSeqOf(transaction, accountId))
}
