/** Reads the timeline of a message, cancels it, and decodes its key. The text of a message is never returned. */
import { parseKeyCell, isMsgKey, parseKeyTime } from '../../contract/msg-key.ts'
import { clock } from '../../platform/time/clock.ts'
import type { Config } from '../../platform/settings/config.ts'
import type { Database } from '../../platform/database/database.ts'
import type { TimelineEvent } from '../../records/timeline/event.ts'
import { cancelScheduled } from '../../records/messages/cancel.ts'
import { readTimeline, type TimelineRows } from '../../records/timeline/rows.ts'
import { describeMessage } from '../../records/timeline/timeline.ts'
import type { AuditRecorder } from '../audit-recorder.ts'
import { OperationError, wrongField } from '../errors.ts'

export function requireMsgKey(msgKey: string): void {
  if (!isMsgKey(msgKey))
    throw wrongField('msgKey', `must be 17 digits followed by 15 characters 0-9 or A-Z, not '${msgKey}'`)
}

export interface ShownMessage {
  readonly rows: TimelineRows
  readonly events: readonly TimelineEvent[]
}

/** `reveal` returns whole phone numbers; this is recorded, with a reason. */
export async function showMessage(
  database: Database,
  audit: AuditRecorder,
  config: Pick<Config, 'cell' | 'retentionDays' | 'queuePrefix'>,
  msgKey: string,
  reveal: boolean,
): Promise<ShownMessage> {
  const rows = await requireMessage(database, config, msgKey)
  if (reveal) await audit.recordAccess({ target: msgKey, account: rows.message?.clientId ?? null })
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

/** Cancels a message that waits for its scheduled time; its client receives report 90010. */
export async function cancelMessage(
  database: Database,
  audit: AuditRecorder,
  config: Pick<Config, 'cell' | 'retentionDays' | 'queuePrefix'>,
  msgKey: string,
): Promise<void> {
  const { message } = await requireMessage(database, config, msgKey)
  await audit.change(async (transaction) => {
    if (message === null || (await cancelScheduled(transaction, message.accountId, [msgKey])) === 0)
      throw new OperationError(
        'refused',
        `message '${msgKey}' cannot be cancelled: it does not wait for a scheduled time, or was released; see its timeline`,
      )
    return [null, { target: msgKey, account: message.clientId }] as const
  })
}

/** Facts encoded in a msgKey, for messages that are not found. */
export interface KeyFacts {
  readonly wellFormed: boolean
  /** Time of acceptance, or scheduled time. */
  readonly keyTime: Date | null
  readonly cell: string | null
  readonly ownCell: string
  readonly retentionDays: number
}

export function readKeyFacts(msgKey: string, config: Pick<Config, 'cell' | 'retentionDays'>): KeyFacts {
  const wellFormed = isMsgKey(msgKey)
  const time = wellFormed ? parseKeyTime(msgKey) : NaN
  const keyTime = Number.isNaN(time) ? null : new Date(time)
  return {
    wellFormed,
    keyTime,
    cell: wellFormed ? parseKeyCell(msgKey) : null,
    ownCell: config.cell,
    retentionDays: config.retentionDays,
  }
}

function noSuchMessage(
  msgKey: string,
  config: Pick<Config, 'retentionDays' | 'cell' | 'queuePrefix'>,
): OperationError {
  const day = `${msgKey.slice(0, 4)}-${msgKey.slice(4, 6)}-${msgKey.slice(6, 8)}`
  const { cell: ownCell, retentionDays, queuePrefix } = config
  const cell = parseKeyCell(msgKey)
  const next =
    cell === ownCell
      ? `A message that was just accepted is in the queue ${queuePrefix}accepted until a worker records it`
      : `It belongs to cell ${cell}, and this gateway is ${ownCell}; search there`
  return new OperationError(
    'not-found',
    `message '${msgKey}' not found in the messages of ${day}, messages in flight, reports or parked jobs; messages are kept for ${retentionDays} days. ${next}`,
    { facts: { resource: 'message', id: msgKey, day, retentionDays, cell, ownCell } },
  )
}
