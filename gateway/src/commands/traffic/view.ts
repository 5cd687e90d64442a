/** Traffic records as the command prints them, over either way. Pure. */
import { timeText, type Result } from '../result.ts'

export interface ShownRecord {
  readonly msgKey: string
  readonly clientId: string
  readonly sender: string | null
  readonly channel: string
  readonly reportCode: string
  readonly sentAt: Date | string
}

/** The newest first, at most `limit`. */
export function recordsResult(records: readonly ShownRecord[], limit: number): Result {
  const lines = records.map(
    ({ sentAt, msgKey, clientId, channel, sender, reportCode }) =>
      `${timeText(sentAt)}  ${msgKey}  ${clientId}  ${channel}  ${sender ?? '-'}  ${reportCode}`,
  )
  if (records.length === limit) lines.push(`the newest ${limit}; --limit prints more`)
  return { json: { records }, lines: lines.length > 0 ? lines : ['no such traffic record'] }
}
