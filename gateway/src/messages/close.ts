/**
 * Closes messages: the in-flight row goes, the reports and the ledger entry come, in one transaction. A row
 * that is gone already was closed before, so nothing can be closed twice.
 */
import type { Cause } from '../channels/cause.ts'
import type { ChannelName } from '../channels/channel.ts'
import { channels } from '../channels/registry.ts'
import { appendToLedger, countByDay } from '../ledger/queries.ts'
import type { Queryable } from '../platform/database.ts'
import { insertReports, type NewReport } from '../reports/queries.ts'
import type { StepKey } from './claim.ts'

/** How a step ended. */
export interface Conclusion extends StepKey {
  readonly cause: Cause
  readonly parts: number
  /** When it was handed to the carrier, when it was; otherwise when it was given up. */
  readonly sentAt: Date
  readonly at: Date
}

interface ClosedRow {
  readonly n: number
  readonly msg_key: string
  readonly account_id: number
  readonly channel: ChannelName
  readonly step: number
  readonly ref: string | null
}

/** Returns the report codes of the messages closed now; those closed earlier are not among them. */
export async function closeMessages(
  transaction: Queryable,
  conclusions: readonly Conclusion[],
): Promise<string[]> {
  if (conclusions.length === 0) return []
  const removed = await transaction.query<ClosedRow>({
    name: 'close-messages',
    text: `delete from in_flight f
            using unnest($1::int[], $2::text[], $3::smallint[], $4::smallint[]) as c (n, msg_key, step, try)
            where f.msg_key = c.msg_key and f.step = c.step and f.try = c.try
           returning c.n, f.msg_key, f.account_id, f.channel, f.step, f.ref`,
    values: [
      conclusions.map((_, n) => n),
      conclusions.map((entry) => entry.msgKey),
      conclusions.map((entry) => entry.step),
      conclusions.map((entry) => entry.try),
    ],
  })
  if (removed.rows.length === 0) return []
  const reports = removed.rows.map((row): NewReport => {
    const conclusion = conclusions[row.n]!
    const channel = channels[row.channel]
    const { code, text } = channel.reportCode(conclusion.cause)
    return {
      msgKey: row.msg_key,
      step: row.step,
      accountId: row.account_id,
      serviceType: channel.serviceType,
      msgType: channel.msgType,
      sentAt: conclusion.sentAt,
      reportedAt: conclusion.at,
      reportCode: code,
      reportText: text,
      carrier: '10000',
      parts: conclusion.parts,
      ref: row.ref,
    }
  })
  await appendToLedger(transaction, 'closed', countByDay(reports))
  await insertReports(transaction, reports)
  return reports.map((report) => report.reportCode)
}
