/**
 * The only writer of recipient_choices, recipient_choice_history and suppression_counts. Numbers are stored
 * as blind indexes only. Changes of one account run one after the other. The lock that all accounts share is
 * held for one statement and the commit, and is not acquired if nothing changes.
 */
import { columns, queryBulk } from '../../platform/database/bulk.ts'
import {
  inTransaction,
  type Database,
  type Queryable,
  type Transactional,
} from '../../platform/database/database.ts'
import type { BlindIndex } from '../../platform/encryption/blind-index.ts'
import { incrementSuppressionVersion } from '../versions.ts'
import {
  allAccountsId,
  isClientSource,
  type RecipientChoice,
  type ChoiceSource,
  type ChoiceState,
} from './choice.ts'
import {
  choiceLimits,
  planChange,
  type ChangePlan,
  type ChoiceLimits,
  type SuppressionCounts,
  type PlannedChange,
  type PresentChoice,
  type SuppressionTotals,
} from './plan-change.ts'

/** Returns the key under which the choice of a recipient is stored. */
export function toRecipientKey(blindIndex: BlindIndex, accountId: number, to: string): Buffer {
  return accountId === allAccountsId ? blindIndex.of(to) : blindIndex.of(to, accountId)
}

export interface AccountRecipient {
  readonly accountId: number
  /** The key from `toRecipientKey`. */
  readonly recipient: Buffer
}

export interface ChoiceChange {
  readonly state: ChoiceState
  readonly source: ChoiceSource
  readonly reason: string
  /** Defaults to now. */
  readonly since?: Date | undefined
  readonly night?: boolean | undefined
  /** Set if the change can be late or repeated: a newer choice stays. */
  readonly onlyOlder?: true
}

export interface ChangeResult extends Pick<ChangePlan, 'kept' | 'refused' | 'limit'> {
  readonly changed: number
}

/** Stores the change for every recipient, unless a limit refuses it or the present choice stays. */
export function setChoices(
  database: Transactional,
  blindIndex: BlindIndex,
  accountId: number,
  numbers: readonly string[],
  change: ChoiceChange,
  limits: ChoiceLimits = choiceLimits,
): Promise<ChangeResult> {
  const recipients = [...new Set(numbers)].map((to) => toRecipientKey(blindIndex, accountId, to))
  return changeChoices(database, accountId, recipients, change, limits)
}

/** A choice that the recipient made at a carrier. Only the limit `optInsPerDay` applies to it. */
export type CarrierChange = ChoiceChange & {
  readonly state: 'suppressed' | 'none'
  readonly source: 'reply' | 'carrier'
}

/**
 * Stores the choice of a recipient for every account that it concerns. A reply that changes nothing costs one
 * statement, however many accounts share the sender.
 */
export async function setCarrierChoices(
  database: Transactional,
  choices: readonly AccountRecipient[],
  change: CarrierChange,
): Promise<void> {
  const present = await readPresent(database, choices, change)
  const recipients = choices.map(({ recipient }) => recipient)
  const counts = { suppressed: 0, agreed: 0, removalsToday: 0 }
  const plan = planChange(recipients, toPlanned(change), {
    present,
    counts,
    totals: noEntries,
    limits: choiceLimits,
  })
  const changing = new Set(plan.write)
  for (const { accountId, recipient } of choices)
    if (changing.has(recipient)) await changeChoices(database, accountId, [recipient], change, choiceLimits)
}

function changeChoices(
  database: Transactional,
  accountId: number,
  recipients: readonly Buffer[],
  change: ChoiceChange,
  limits: ChoiceLimits,
): Promise<ChangeResult> {
  return inTransaction(database, async (transaction) => {
    const counts = await lockCounts(transaction, accountId)
    const keys = recipients.map((recipient) => ({ accountId, recipient }))
    const present = await readPresent(transaction, keys, change)
    const totals = change.state === 'none' ? noEntries : await countAll(transaction)
    const plan = planChange(recipients, toPlanned(change), { present, counts, totals, limits })
    if (plan.write.length > 0) await write(transaction, accountId, plan, change)
    const { kept, refused, limit } = plan
    return { changed: plan.write.length, kept, refused, limit }
  })
}

function toPlanned({ state, source, night = false, since, onlyOlder }: ChoiceChange): PlannedChange {
  return { state, source, night, after: onlyOlder === true ? since : undefined }
}

async function lockCounts(transaction: Queryable, accountId: number): Promise<SuppressionCounts> {
  await transaction.query(
    'insert into suppression_counts (account_id) values ($1) on conflict (account_id) do nothing',
    [accountId],
  )
  const { rows } = await transaction.query<SuppressionCounts>(
    `select suppressed, agreed,
            case when removals_on = (now() at time zone 'UTC')::date then removals else 0 end as "removalsToday"
       from suppression_counts where account_id = $1 for update`,
    [accountId],
  )
  return rows[0]!
}

const noEntries: SuppressionTotals = { entries: 0, accounts: 0 }

/**
 * Reads one row per account. Uncommitted changes of other accounts are missing, which the limit allows for.
 */
async function countAll(transaction: Queryable): Promise<SuppressionTotals> {
  const { rows } = await transaction.query<SuppressionTotals>(
    `select coalesce(sum(suppressed::bigint + agreed), 0)::bigint as entries, count(*) as accounts
       from suppression_counts where suppressed > 0 or agreed > 0`,
  )
  return rows[0]!
}

const countOptIns = `(select count(*) from recipient_choice_history h
    where h.account_id = c.account_id and h.recipient = c.recipient and h.ended_at > now() - interval '1 day'
      and h.state = 'suppressed' and h.source in ('reply', 'carrier'))`

/** Returns the present choices by recipient in latin1; a recipient key belongs to one account. */
async function readPresent(
  database: Queryable,
  recipients: readonly AccountRecipient[],
  { state, source }: Pick<PlannedChange, 'state' | 'source'>,
): Promise<Map<string, PresentChoice>> {
  const isCarrierOptIn = state === 'none' && source !== 'operator' && !isClientSource(source)
  const rows = await queryBulk<PresentChoice>(database, {
    text: `select c.recipient, c.state, c.night, c.source, c.since${isCarrierOptIn ? `, ${countOptIns} as "optIns"` : ''}
             from unnest($1::integer[], $2::bytea[]) as g (account_id, recipient)
             join recipient_choices c on c.account_id = g.account_id and c.recipient = any (array[g.recipient])`,
    columns: columns(recipients, ({ accountId, recipient }) => [accountId, recipient]),
  })
  return new Map(rows.map((row) => [row.recipient.toString('latin1'), row]))
}

async function write(
  transaction: Queryable,
  accountId: number,
  { write: recipients, delta }: ChangePlan,
  { state, source, reason, since, night = false }: ChoiceChange,
): Promise<void> {
  const version = await incrementSuppressionVersion(transaction)
  const { suppressed, agreed, removalsToday } = delta
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
      accountId,
      state,
      night,
      since ?? null,
      source,
      reason,
      version,
      suppressed,
      agreed,
      removalsToday,
    ],
  })
}

export interface StoredChoice extends RecipientChoice, AccountRecipient {}

/** Rows per statement: a process holds no more at a time, however long the lists are. */
export const choicePageSize = 10_000

/**
 * Reads every choice that changed with `version` or later, and returns the newest version. `version` itself
 * is read again, because after a failover that lost a change another one can have its number. A row that
 * changes in the meantime gets a newer version, so a later page has it.
 */
export async function readChoices(
  database: Queryable,
  version: string,
  take: (choice: StoredChoice) => void,
  pageSize = choicePageSize,
): Promise<string> {
  let last = { version, accountId: -1, recipient: Buffer.alloc(0) }
  for (;;) {
    const { rows } = await database.query<StoredChoice & typeof last>({
      name: 'read-choices',
      text: `select account_id as "accountId", recipient, state, night, version::text
               from recipient_choices where (version, account_id, recipient) > ($1, $2, $3)
              order by recipient_choices.version, account_id, recipient limit $4`,
      values: [last.version, last.accountId, last.recipient, pageSize],
    })
    for (const row of rows) take(row)
    last = rows.at(-1) ?? last
    if (rows.length < pageSize) return last.version
  }
}

export interface ChoiceEntry extends RecipientChoice {
  readonly since: Date
  readonly source: ChoiceSource
  readonly reason: string
}

/** Finds a choice. A removed choice is found for a day, with the state `none`. */
export async function findChoice(
  database: Queryable,
  recipient: Buffer,
  accountId: number,
): Promise<ChoiceEntry | null> {
  const { rows } = await database.query<ChoiceEntry>({
    name: 'find-choice',
    text: `select state, night, since, source, reason from recipient_choices
            where account_id = $1 and recipient = $2`,
    values: [accountId, recipient],
  })
  return rows[0] ?? null
}

export interface FormerChoice extends ChoiceEntry {
  readonly endedAt: Date
}

/** Lists up to 100 former choices, newest first. */
export async function readChoiceHistory(
  database: Queryable,
  recipient: Buffer,
  accountId: number,
): Promise<FormerChoice[]> {
  const { rows } = await database.query<FormerChoice>(
    `select state, night, since, source, reason, ended_at as "endedAt" from recipient_choice_history
      where account_id = $1 and recipient = $2 order by ended_at desc limit 100`,
    [accountId, recipient],
  )
  return rows
}

/** A process reads all choices every hour, so after a day none still has a choice whose removal it missed. */
export const removedRetentionMs = 86_400_000
const keepHistoryMs = 365 * 86_400_000
const batchSize = 5_000

/** Deletes removed choices and old history. Returns how many choices it deleted. */
export async function deleteOldChoices(database: Database, now: Date): Promise<number> {
  const deleted = await inBatches(() =>
    database.query(
      `with gone as (
         delete from recipient_choices where (account_id, recipient) in (
           select account_id, recipient from recipient_choices
            where state = 'none' and changed_at < $1 order by changed_at limit $2 for update skip locked)
            and state = 'none'
         returning *
       )
       insert into recipient_choice_history (account_id, recipient, state, night, since, source, reason, ended_at)
       select account_id, recipient, state, night, since, source, reason, now() from gone`,
      [new Date(now.getTime() - removedRetentionMs), batchSize],
    ),
  )
  await inBatches(() =>
    database.query(
      `delete from recipient_choice_history where ctid = any (array(
         select ctid from recipient_choice_history where ended_at < $1 order by ended_at limit $2))`,
      [new Date(now.getTime() - keepHistoryMs), batchSize],
    ),
  )
  return deleted
}

/** Runs short statements, so a change of a recipient never waits long for the deletion. */
async function inBatches(remove: () => Promise<{ readonly rowCount: number | null }>): Promise<number> {
  for (let removed = 0; ;) {
    const count = (await remove()).rowCount ?? 0
    removed += count
    if (count < batchSize) return removed
  }
}
