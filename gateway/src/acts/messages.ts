/** One message, for `postern message show` and the admin API: its timeline, and what an operator may do with it. Its text is never shown. */
import { cellOfKey, isMsgKey, timeOfKey } from '../contract/msg-key.ts'
import { clock } from '../platform/clock.ts'
import type { Config } from '../platform/config.ts'
import type { Database } from '../platform/database.ts'
import type { TimelineEvent } from '../records/timeline/event.ts'
import { cancelScheduled } from '../records/messages/cancel.ts'
import { readTimeline, type TimelineRows } from '../records/timeline/rows.ts'
import { describeMessage } from '../records/timeline/timeline.ts'
import type { ActAudit } from './act-audit.ts'
import { OperationError } from './errors.ts'
import { requireMsgKey } from './msg-key.ts'

export { requireMsgKey }

export interface ShownMessage {
  readonly rows: TimelineRows
  readonly events: readonly TimelineEvent[]
}

/** `reveal` shows whole phone numbers; that is recorded, with a reason. */
export async function showMessage(
  database: Database,
  audit: ActAudit,
  config: Pick<Config, 'cell' | 'retentionDays' | 'queuePrefix'>,
  msgKey: string,
  reveal: boolean,
): Promise<ShownMessage> {
  const rows = await requireMessage(database, config, msgKey)
  if (reveal) await audit.look({ target: msgKey, account: rows.message?.clientId ?? null })
  return { rows, events: describeMessage(rows, { reveal, now: clock.date() }) }
}

export async function requireMessage(
  database: Database,
  config: Pick<Config, 'cell' | 'retentionDays' | 'queuePrefix'>,
  msgKey: string,
): Promise<TimelineRows> {
  requireMsgKey(msgKey)
  const rows = await readTimeline(database, msgKey)
  if (rows.message === null && rows.parked.length === 0) throw noSuchMessage(msgKey, config)
  return rows
}

/** Ends a message that waits for its scheduled time; its client gets a report with 90010. */
export async function cancelMessage(
  database: Database,
  audit: ActAudit,
  config: Pick<Config, 'cell' | 'retentionDays' | 'queuePrefix'>,
  msgKey: string,
): Promise<void> {
  const { message } = await requireMessage(database, config, msgKey)
  await audit.change(async (transaction) => {
    if (message === null || !(await cancelScheduled(transaction, message.accountId, msgKey)))
      throw new OperationError(
        'refused',
        `message ${msgKey} cannot be cancelled: it does not wait for a scheduled time, or was released; see its timeline`,
      )
    return [null, { target: msgKey, account: message.clientId }] as const
  })
}

/** What the msgKey itself says, for who looks for a message that is not here. */
export interface KeyFacts {
  readonly wellFormed: boolean
  /** When it was accepted, or is to be sent. */
  readonly keyTime: Date | null
  readonly cell: string | null
  readonly ownCell: string
  readonly retentionDays: number
}

export function readKeyFacts(msgKey: string, config: Pick<Config, 'cell' | 'retentionDays'>): KeyFacts {
  const wellFormed = isMsgKey(msgKey)
  const time = wellFormed ? timeOfKey(msgKey) : NaN
  const keyTime = Number.isNaN(time) ? null : new Date(time)
  return {
    ...{ wellFormed, keyTime, cell: wellFormed ? cellOfKey(msgKey) : null },
    ...{ ownCell: config.cell, retentionDays: config.retentionDays },
  }
}

function noSuchMessage(
  msgKey: string,
  config: Pick<Config, 'retentionDays' | 'cell' | 'queuePrefix'>,
): OperationError {
  const day = `${msgKey.slice(0, 4)}-${msgKey.slice(4, 6)}-${msgKey.slice(6, 8)}`
  const { cell: ownCell, retentionDays, queuePrefix } = config
  const cell = cellOfKey(msgKey)
  const next =
    cell === ownCell
      ? `A message that was just accepted is in the queue ${queuePrefix}accepted until a worker records it`
      : `Its cell is ${cell}, and this gateway is ${ownCell}: search there`
  return new OperationError(
    'not-found',
    `message '${msgKey}' not found among the messages of ${day}, the messages in flight, the reports and the parked jobs; messages are kept for ${retentionDays} days. ${next}`,
    { facts: { resource: 'message', id: msgKey, day, retentionDays, cell, ownCell } },
  )
}
