/** Reads the present choices of recipients before a change, in one statement for any number of accounts. */
import { columns, queryBulk } from '../../platform/bulk.ts'
import type { Queryable } from '../../platform/database.ts'
import { isOfClient } from './choice.ts'
import type { PlannedChange, PresentChoice } from './plan-change.ts'

export interface AccountRecipient {
  readonly accountId: number
  /** The blind index, made with the account. */
  readonly recipient: Buffer
}

const optIns = `(select count(*) from recipient_choice_history h
    where h.account_id = c.account_id and h.recipient = c.recipient and h.ended_at > now() - interval '1 day'
      and h.state = 'suppressed' and h.source in ('reply', 'carrier'))`

/** By the recipient in latin1: an index belongs to one account. */
export async function readPresent(
  database: Queryable,
  recipients: readonly AccountRecipient[],
  { state, source }: Pick<PlannedChange, 'state' | 'source'>,
): Promise<Map<string, PresentChoice>> {
  const isOptIn = state === 'none' && source !== 'operator' && !isOfClient(source)
  const rows = await queryBulk<PresentChoice>(database, {
    text: `select c.recipient, c.state, c.night, c.source, c.since${isOptIn ? `, ${optIns} as "optIns"` : ''}
             from unnest($1::integer[], $2::bytea[]) as g (account_id, recipient)
             join recipient_choices c on c.account_id = g.account_id and c.recipient = any (array[g.recipient])`,
    columns: columns(recipients, ({ accountId, recipient }) => [accountId, recipient]),
  })
  return new Map(rows.map((row) => [row.recipient.toString('latin1'), row]))
}
