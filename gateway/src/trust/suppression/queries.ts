/** SQL of recipient_choices, its only writer. Numbers are stored as blind indexes only. */
import { columns, queryBulk } from '../../platform/bulk.ts'
import { inTransaction, type Queryable, type Transactional } from '../../platform/database.ts'
import type { BlindIndex } from '../../platform/encryption/blind-index.ts'
import { raiseVersion } from '../versions.ts'
import { keyOf, type ChangedChoices, type StoredChoice } from './choice-index.ts'
import type { ChoiceSource, ChoiceState } from './choice.ts'

/** Everything that changed with `version` or after it: `version` itself again, as for senders. */
export async function readChoicesFrom(database: Queryable, version: string): Promise<ChangedChoices> {
  const result = await database.query<StoredChoice & { version: string }>({
    name: 'read-changed-choices',
    text: `select account_id as "accountId", recipient, state, night, version::text
             from recipient_choices where version >= $1 order by recipient_choices.version`,
    values: [version],
  })
  return { version: result.rows.at(-1)?.version ?? version, choices: result.rows }
}

export interface ChoiceChange {
  readonly state: ChoiceState
  readonly source: ChoiceSource
  readonly reason: string
  /** Since when it holds; now when absent. */
  readonly since?: Date | undefined
  readonly night?: boolean | undefined
}

/** Choices of one account; a list that is longer is a mistake or an attack. */
export const maxChoices = 1_000_000

/** Returns how many changed, or null when the account would have too many. Numbers that occur twice count once. */
export function setChoices(
  database: Transactional,
  blindIndex: BlindIndex,
  accountId: number,
  numbers: readonly string[],
  { state, source, reason, since, night = false }: ChoiceChange,
): Promise<number | null> {
  const recipients = new Map(
    numbers.map((to) => keyOf(blindIndex, accountId, to)).map((key) => [key.toString('latin1'), key]),
  )
  return inTransaction(database, async (transaction) => {
    const version = await raiseVersion(transaction, 'suppression')
    if (state !== 'none' && (await countChoices(transaction, accountId)) + recipients.size > maxChoices)
      return null
    const changed = await queryBulk<{ changed: true }>(transaction, {
      text: `insert into recipient_choices as c (account_id, recipient, state, night, since, source, reason, version)
             select $2, recipient, $3, $4, coalesce($5::timestamptz, now()), $6, $7, $8 from unnest($1::bytea[]) as recipient
             on conflict (account_id, recipient) do update
                set state = excluded.state, night = excluded.night, since = excluded.since, source = excluded.source,
                    reason = excluded.reason, version = excluded.version
              where (c.state, c.night) is distinct from (excluded.state, excluded.night)
             returning true as changed`,
      columns: columns([...recipients.values()], (recipient) => [recipient]),
      values: [accountId, state, night, since ?? null, source, reason, version],
    })
    return changed.length
  })
}

async function countChoices(transaction: Queryable, accountId: number): Promise<number> {
  const result = await transaction.query<{ n: number }>(
    `select count(*)::int as n from (select from recipient_choices where account_id = $1 limit $2) c`,
    [accountId, maxChoices],
  )
  return result.rows[0]!.n
}

export interface FoundChoice {
  readonly state: ChoiceState
  readonly night: boolean
  readonly since: Date
  readonly source: ChoiceSource
  readonly reason: string
}

export async function findChoice(
  database: Queryable,
  blindIndex: BlindIndex,
  accountId: number,
  to: string,
): Promise<FoundChoice | null> {
  const result = await database.query<FoundChoice>({
    name: 'find-choice',
    text: `select state, night, since, source, reason from recipient_choices
            where account_id = $1 and recipient = $2 and state <> 'none'`,
    values: [accountId, keyOf(blindIndex, accountId, to)],
  })
  return result.rows[0] ?? null
}

/** For `postern account move`: another cell has another key and cannot read them. */
export async function hasChoices(database: Queryable, accountId: number): Promise<boolean> {
  const result = await database.query(
    `select from recipient_choices where account_id = $1 and state <> 'none' limit 1`,
    [accountId],
  )
  return result.rowCount === 1
}
