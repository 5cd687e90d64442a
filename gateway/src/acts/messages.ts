/** The timeline of one message, for `postern message show` and the admin API. Its text is never shown. */
import { cellOfKey, isMsgKey } from '../contract/msg-key.ts'
import { clock } from '../platform/clock.ts'
import type { Config } from '../platform/config.ts'
import type { Database } from '../platform/database.ts'
import type { TimelineEvent } from '../records/timeline/event.ts'
import { readTimeline, type TimelineRows } from '../records/timeline/rows.ts'
import { describeMessage } from '../records/timeline/timeline.ts'
import type { ActAudit } from './act-audit.ts'
import { NotFoundError, UsageError } from './errors.ts'

export interface ShownMessage {
  readonly rows: TimelineRows
  readonly events: readonly TimelineEvent[]
}

export function requireMsgKey(msgKey: string): void {
  if (!isMsgKey(msgKey))
    throw new UsageError(
      `'${msgKey}' is not a msgKey; it must have 32 characters: 17 digits, then 15 digits or letters A-Z`,
    )
}

/** `reveal` shows whole phone numbers; that is recorded, with a reason. */
export async function showMessage(
  database: Database,
  audit: ActAudit,
  config: Pick<Config, 'cell' | 'retentionDays' | 'queuePrefix'>,
  msgKey: string,
  reveal: boolean,
): Promise<ShownMessage> {
  requireMsgKey(msgKey)
  const rows = await readTimeline(database, msgKey)
  if (rows.message === null && rows.parked.length === 0)
    throw new NotFoundError(explainAbsence(msgKey, config))
  if (reveal) await audit.look({ target: msgKey, account: rows.message?.clientId ?? null })
  return { rows, events: describeMessage(rows, { reveal, now: clock.date() }) }
}

/** Where it was searched, and what to check next. */
export function explainAbsence(
  msgKey: string,
  config: Pick<Config, 'retentionDays' | 'cell' | 'queuePrefix'>,
): string {
  const day = `${msgKey.slice(0, 4)}-${msgKey.slice(4, 6)}-${msgKey.slice(6, 8)}`
  const cell = cellOfKey(msgKey)
  return [
    `there is no message ${msgKey}: searched the messages of ${day}, the messages in flight, the reports and the parked jobs.`,
    'To check:',
    `- messages are kept for ${config.retentionDays} days`,
    cell === config.cell
      ? `- a message that was just accepted is in the queue ${config.queuePrefix}accepted until a worker records it: is a worker running?`
      : `- its cell is ${cell}, and this gateway is ${config.cell}: run this command there`,
    '- a message that cannot be recorded is parked by a worker: `postern parked list`',
  ].join('\n')
}
