/** `postern message show KEY`: what became of one message, in order and in plain words. Its text is never shown. */
import { parseArgs } from 'node:util'
import { readTimeline, type TimelineRows } from '../records/timeline/rows.ts'
import { describeMessage } from '../records/timeline/timeline.ts'
import type { Config } from '../platform/config.ts'
import { isMsgKey } from '../contract/msg-key.ts'
import { UsageError, type Command } from './command.ts'
import { print, withDatabase } from './connect.ts'

export function printStory(
  rows: TimelineRows,
  options: { readonly reveal: boolean; readonly json: boolean },
): void {
  const events = describeMessage(rows, { reveal: options.reveal, now: new Date() })
  if (options.json) return print(JSON.stringify({ msgKey: rows.msgKey, events }))
  print(rows.msgKey)
  for (const { at, step, text } of events) {
    print(`${at.toISOString()}  ${step === null ? '      ' : `step ${step}`}  ${text}`)
  }
}

/** Where it was looked for, and what to check next. */
export function explainAbsence(
  msgKey: string,
  config: Pick<Config, 'retentionDays' | 'cell' | 'queuePrefix'>,
): string {
  const day = `${msgKey.slice(0, 4)}-${msgKey.slice(4, 6)}-${msgKey.slice(6, 8)}`
  const cell = msgKey.slice(17, 19)
  return [
    `there is no message ${msgKey}: looked in the messages of ${day}, in what is in flight, in the reports and in what is parked.`,
    'To check:',
    `- messages are kept for ${config.retentionDays} days`,
    cell === config.cell
      ? `- one just accepted lies in the queue ${config.queuePrefix}accepted until a worker records it: is one running?`
      : `- its cell is ${cell}, and this gateway is ${config.cell}: ask there`,
    '- one that cannot be recorded is moved from the broker to the parking place by a worker: `postern parked list`',
  ].join('\n')
}

async function show(args: string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      json: { type: 'boolean', default: false },
      reveal: { type: 'boolean', default: false },
    },
  })
  const [msgKey] = positionals
  if (msgKey === undefined) throw new UsageError('a msgKey is missing')
  if (!isMsgKey(msgKey)) {
    throw new UsageError(
      `'${msgKey}' is no msgKey: those have 32 characters, 17 digits and 15 of 0-9 and A-Z`,
    )
  }
  await withDatabase(async (database, config) => {
    const rows = await readTimeline(database, msgKey)
    if (rows.message === null && rows.parked.length === 0)
      throw new UsageError(explainAbsence(msgKey, config))
    printStory(rows, values)
  })
}

export const message: Command = {
  name: 'message',
  usage: 'message show KEY [--json] [--reveal]',
  summary: 'the story of one message',
  async run([action, ...args]) {
    if (action === 'show') return show(args)
    throw new UsageError(action === undefined ? 'an action is missing' : `unknown action '${action}'`)
  },
}
