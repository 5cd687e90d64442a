/**
 * Blocks and unblocks accounts. A block refuses every request and stops the messages that the account has
 * accepted; workers follow within two seconds, through the version that a trigger of `accounts` increments.
 * SQL of account_stops, its only writer, which stores the reason and the effect of every block.
 */
import type { AuditContext } from '../audit/context.ts'
import type { Queryable } from '../../platform/database/database.ts'

/** `close` ends waiting messages; `hold` keeps them until the account is unblocked. */
export const blockedBacklogModes = ['close', 'hold'] as const
export type BlockedBacklogMode = (typeof blockedBacklogModes)[number]

export interface NewBlock {
  readonly backlog: BlockedBacklogMode
  /** How and when the customer was notified. */
  readonly notice?: string | undefined
}

export interface BlockedMessageCounts {
  /** Messages that were already submitted to carriers. */
  readonly submitted: number
  /** Messages that the block ended. */
  readonly closed: number
  /** Messages that wait until the account is unblocked. */
  readonly held: number
}

export interface AccountBlock extends NewBlock {
  readonly id: string
  readonly by: string
  readonly reason: string
  readonly accountId: number
  readonly at: Date
  /** The number of paused webhooks. */
  readonly webhooks: number
  /** The last report before the block. */
  readonly reportSeq: number
  /** The counts are `null` until the messages are counted. */
  readonly submitted: number | null
  readonly closed: number | null
  readonly held: number | null
  readonly endedAt: Date | null
  readonly endedBy: string | null
  readonly endedReason: string | null
}

const columns = `id::text, account_id as "accountId", at, by, reason, notice, backlog, submitted, webhooks,
  report_seq as "reportSeq", closed, held, ended_at as "endedAt", ended_by as "endedBy", ended_reason as "endedReason"`

/**
 * Blocks an account. Returns null if it does not exist. An account that is already blocked keeps its row, with
 * the new `backlog`, operator and reason.
 */
export async function insertBlock(
  transaction: Queryable,
  clientId: string,
  { by, reason }: AuditContext,
  { backlog, notice }: NewBlock,
): Promise<AccountBlock | null> {
  const result = await transaction.query<{ id: number }>(
    `update accounts set blocked = true, blocked_backlog = $2, updated_at = now() where client_id = $1 returning id`,
    [clientId, backlog],
  )
  const id = result.rows[0]?.id
  if (id === undefined) return null
  const changed = await transaction.query<AccountBlock>(
    `update account_stops set backlog = $2, by = $3, reason = $4, notice = coalesce($5, notice)
      where account_id = $1 and ended_at is null returning ${columns}`,
    [id, backlog, by, reason, notice],
  )
  if (changed.rows[0] !== undefined) return changed.rows[0]
  const inserted = await transaction.query<AccountBlock>(
    `insert into account_stops (account_id, by, reason, notice, backlog, report_seq, webhooks)
     values ($1, $2, $3, $4, $5, coalesce((select last_seq from report_sequences where account_id = $1), 0),
             (select count(*) from webhooks where account_id = $1 and enabled))
     returning ${columns}`,
    [id, by, reason, notice, backlog],
  )
  return inserted.rows[0]!
}

/** Ends the block; the caller then releases held messages. Returns null if the account does not exist. */
export async function endBlock(
  transaction: Queryable,
  clientId: string,
  { by, reason }: AuditContext,
): Promise<{ readonly accountId: number } | null> {
  const result = await transaction.query<{ id: number }>(
    `update accounts set blocked = false, blocked_backlog = 'close', updated_at = now() where client_id = $1 returning id`,
    [clientId],
  )
  const accountId = result.rows[0]?.id
  if (accountId === undefined) return null
  await transaction.query(
    `update account_stops set ended_at = now(), ended_by = $2, ended_reason = $3
      where account_id = $1 and ended_at is null`,
    [accountId, by, reason],
  )
  return { accountId }
}

export async function saveBlockCounts(
  database: Queryable,
  id: string,
  { submitted, closed, held }: BlockedMessageCounts,
): Promise<void> {
  await database.query('update account_stops set submitted = $2, closed = $3, held = $4 where id = $1', [
    id,
    submitted,
    closed,
    held,
  ])
}

/** Lists up to 100 blocks, newest first. */
export async function listBlocks(database: Queryable, accountId: number): Promise<AccountBlock[]> {
  const result = await database.query<AccountBlock>(
    `select ${columns} from account_stops where account_id = $1 order by id desc limit 100`,
    [accountId],
  )
  return result.rows
}

export async function loadBlockedAccounts(database: Queryable): Promise<Map<number, BlockedBacklogMode>> {
  const result = await database.query<{ id: number; backlog: BlockedBacklogMode }>(
    'select id, blocked_backlog as backlog from accounts where blocked',
  )
  return new Map(result.rows.map(({ id, backlog }) => [id, backlog]))
}

/**
 * Locks the account against a change of its block until the transaction ends. Returns false if it is not
 * blocked with this `backlog`, or if it is being changed.
 */
export async function lockBlockedAccount(
  transaction: Queryable,
  accountId: number,
  backlog: BlockedBacklogMode,
): Promise<boolean> {
  const result = await transaction.query(
    `select from accounts where id = $1 and blocked and blocked_backlog = $2 for share skip locked`,
    [accountId, backlog],
  )
  return result.rowCount === 1
}
