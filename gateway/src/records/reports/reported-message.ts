/**
 * Reads the additional fields of full report keys from messages: the recipient of a report, whether another
 * report follows, and the state.
 */
import { timeDigits } from '../../contract/msg-key.ts'
import { readContents, type SealedRow } from '../../jobs/sealed.ts'
import { columns, queryBulk } from '../../platform/database/bulk.ts'
import { clock } from '../../platform/time/clock.ts'
import type { Queryable } from '../../platform/database/database.ts'
import type { ReportRow } from './queries.ts'

export interface ReportWithMessage extends ReportRow {
  /** Only for accounts with full report keys. */
  readonly message?: ReportedMessage | undefined
}

interface ReportedMessage {
  /** The recipient, a Korean number in its domestic form; absent once it is erased. */
  readonly to?: string
  /** Whether the report is the outcome of the message. */
  readonly last: boolean
}

interface MessageRow extends SealedRow {
  readonly recipient: string | null
  readonly lastStep: number
}

/**
 * Adds the messages. All reports of a message are written in one transaction, so the one with the highest
 * step is the last.
 */
export async function addMessages<Row extends ReportRow>(
  database: Queryable,
  rows: readonly Row[],
  hasFullKeys: (row: Row) => boolean,
): Promise<(Row & ReportWithMessage)[]> {
  const keys = new Set(rows.filter(hasFullKeys).map(({ msgKey }) => msgKey))
  const found = await queryBulk<MessageRow>(database, {
    name: 'read-reported-messages',
    text: `select k.msg_key as "msgKey", m.recipient, m.sealed,
                  (select max(r.step) from reports r where r.msg_key = any (array[k.msg_key])) as "lastStep"
             from unnest($1::text[]) as k (msg_key) left join messages m on m.msg_key = any (array[k.msg_key])`,
    columns: columns([...keys], (key) => [key]),
  })
  const contents = await readContents(found)
  const messages = new Map(found.map((message) => [message.msgKey, message]))
  return rows.map((row) => {
    const message = messages.get(row.msgKey)
    if (message === undefined) return row
    const to = contents.get(row.msgKey)?.to ?? message.recipient ?? ''
    return { ...row, message: { ...(to === '' ? {} : { to }), last: row.step === message.lastStep } }
  })
}

/**
 * Milliseconds for which a key without a row can be that of a message that a worker has not recorded yet: it waits in the
 * broker for less than a second, or as long as no worker runs.
 */
const recordedWithinMs = 86_400_000

export const messageStates = ['open', 'closed', 'unknown'] as const
export type ReportedState = (typeof messageStates)[number]

export async function findMessageState(
  database: Queryable,
  accountId: number,
  msgKey: string,
): Promise<ReportedState> {
  const { rows } = await database.query<{ isOpen: boolean }>({
    name: 'find-message-state',
    text: `select exists (select from in_flight f where f.msg_key = $1) as "isOpen"
             from messages m where m.msg_key = $1 and m.account_id = $2`,
    values: [msgKey, accountId],
  })
  if (rows[0] !== undefined) return rows[0].isOpen ? 'open' : 'closed'
  // A client that reads "unknown" may send again, so a message that still waits in the broker must be "open".
  return msgKey >= timeDigits(clock.cutoff(recordedWithinMs)) ? 'open' : 'unknown'
}
