/** `postern message show`: the timeline of one message. Its text is never shown. */
import { cellOfKey, isMsgKey } from '../../contract/msg-key.ts'
import { clock } from '../../platform/clock.ts'
import type { Config } from '../../platform/config.ts'
import { readTimeline } from '../../records/timeline/rows.ts'
import { describeMessage } from '../../records/timeline/timeline.ts'
import { openMessageCipher, withDatabase } from '../connect.ts'
import { FailedError, UsageError } from '../errors.ts'
import type { Invocation } from '../invocation.ts'
import type { Result } from '../result.ts'
import type { MessageSetting } from '../setting-lists.ts'

export async function showMessage(
  invocation: Invocation<'cell' | 'retentionDays' | 'queuePrefix' | MessageSetting>,
  msgKey: string,
  options: { readonly reveal?: boolean },
): Promise<Result> {
  if (!isMsgKey(msgKey)) {
    throw new UsageError(
      `'${msgKey}' is not a msgKey; it must have 32 characters: 17 digits, then 15 digits or letters A-Z`,
    )
  }
  return withDatabase(invocation, async (database, config, audit) => {
    await openMessageCipher(database, config, invocation)
    const rows = await readTimeline(database, msgKey)
    if (rows.message === null && rows.parked.length === 0)
      throw new FailedError(explainAbsence(msgKey, config))
    if (options.reveal === true) await audit.look({ target: msgKey })
    const events = describeMessage(rows, { reveal: options.reveal === true, now: clock.date() })
    const lines = events.map(
      ({ at, step, text }) => `${at.toISOString()}  ${step === null ? '      ' : `step ${step}`}  ${text}`,
    )
    return { json: { msgKey: rows.msgKey, events }, lines: [rows.msgKey, ...lines] }
  })
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
