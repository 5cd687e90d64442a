/**
 * Writes choices of recipients, with their history and counts, in one transaction. Changes of one account run one after the
 * other; the lock that all accounts share is held for one statement and the commit, and not at all where nothing changes.
 */
import { columns, queryBulk } from '../../platform/bulk.ts'
import { inTransaction, type Queryable, type Transactional } from '../../platform/database.ts'
import type { BlindIndex } from '../../platform/encryption/blind-index.ts'
import { raiseSuppressionVersion } from '../versions.ts'
import { choiceBounds, type ChoiceBounds } from './bounds.ts'
import { keyOf } from './choice-index.ts'
import type { ChoiceSource, ChoiceState } from './choice.ts'
import { planChange, type ChangePlan, type Counts, type PlannedChange, type Totals } from './plan-change.ts'
import { readPresent } from './present.ts'

export interface ChoiceChange {
  readonly state: ChoiceState
  readonly source: ChoiceSource
  readonly reason: string
  /** Since when it holds; now when absent. */
  readonly since?: Date | undefined
  readonly night?: boolean | undefined
  /** The change was on its way, or is made twice: what holds since later stays, see `plan-change.ts`. */
  readonly onlyOlder?: true
}

export interface ChangeResult extends Pick<ChangePlan, 'kept' | 'refused' | 'bound'> {
  readonly changed: number
}

/** What is refused because of a bound is not stored; the rest is. Numbers that occur twice count once. */
export function setChoices(
  database: Transactional,
  blindIndex: BlindIndex,
  accountId: number,
  numbers: readonly string[],
  change: ChoiceChange,
  bounds?: ChoiceBounds,
): Promise<ChangeResult> {
  const keys = numbers.map((to) => keyOf(blindIndex, accountId, to))
  return setChoicesOf(database, accountId, keys, change, bounds)
}

/** By blind indexes, made with the account. */
export function setChoicesOf(
  database: Transactional,
  accountId: number,
  keys: readonly Buffer[],
  change: ChoiceChange,
  bounds: ChoiceBounds = choiceBounds,
): Promise<ChangeResult> {
  const recipients = [...new Map(keys.map((key) => [key.toString('latin1'), key])).values()]
  return inTransaction(database, async (transaction) => {
    const counts = await lockCounts(transaction, accountId)
    const present = await readPresent(
      transaction,
      recipients.map((recipient) => ({ accountId, recipient })),
      change,
    )
    const all = change.state === 'none' ? nothing : await countAll(transaction)
    const plan = planChange(recipients, plannedOf(change), { present, counts, all, bounds })
    if (plan.write.length > 0) await write(transaction, accountId, plan, change)
    const { kept, refused, bound } = plan
    return { changed: plan.write.length, kept, refused, bound }
  })
}

export function plannedOf({ state, source, night = false, since, onlyOlder }: ChoiceChange): PlannedChange {
  return { state, source, night, after: onlyOlder === true ? since : undefined }
}

async function lockCounts(transaction: Queryable, accountId: number): Promise<Counts> {
  const select = () =>
    transaction.query<Counts>(
      `select suppressed, agreed,
              case when removals_on = (now() at time zone 'UTC')::date then removals else 0 end as removals
         from suppression_counts where account_id = $1 for update`,
      [accountId],
    )
  const [found] = (await select()).rows
  if (found !== undefined) return found
  await transaction.query(
    `insert into suppression_counts (account_id) values ($1) on conflict (account_id) do nothing`,
    [accountId],
  )
  return (await select()).rows[0]!
}

const nothing: Totals = { entries: 0, accounts: 0 }

/** One row for each account; changes of other accounts that are not committed are missing, which the bound allows for. */
async function countAll(transaction: Queryable): Promise<Totals> {
  const result = await transaction.query<Totals>(
    `select coalesce(sum(suppressed::bigint + agreed), 0)::bigint as entries, count(*) as accounts
       from suppression_counts where suppressed > 0 or agreed > 0`,
  )
  return result.rows[0]!
}

async function write(
  transaction: Queryable,
  accountId: number,
  { write: recipients, delta }: ChangePlan,
  { state, source, reason, since, night = false }: ChoiceChange,
): Promise<void> {
  const version = await raiseSuppressionVersion(transaction)
  await queryBulk(transaction, {
    text: `
      with given as (select unnest($1::bytea[]) as recipient),
      former as (
        insert into recipient_choice_history (account_id, recipient, state, night, since, source, reason)
        select c.account_id, c.recipient, c.state, c.night, c.since, c.source, c.reason
          from given g join recipient_choices c on c.account_id = $2 and c.recipient = any (array[g.recipient])
      ),
      counted as (
        update suppression_counts
           set suppressed = greatest(0, suppressed + $9), agreed = greatest(0, agreed + $10),
               removals = $11 + case when removals_on = (now() at time zone 'UTC')::date then removals else 0 end,
               removals_on = (now() at time zone 'UTC')::date
         where account_id = $2
      )
      insert into recipient_choices (account_id, recipient, state, night, since, source, reason, version, changed_at)
      select $2, recipient, $3, $4, coalesce($5::timestamptz, now()), $6, $7, $8, now() from given
      on conflict (account_id, recipient) do update
         set state = excluded.state, night = excluded.night, since = excluded.since, source = excluded.source,
             reason = excluded.reason, version = excluded.version, changed_at = excluded.changed_at`,
    columns: columns(recipients, (recipient) => [recipient]),
    values: [
      ...[accountId, state, night, since ?? null, source, reason, version],
      ...[delta.suppressed, delta.agreed, delta.removals],
    ],
  })
}
