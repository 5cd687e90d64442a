/**
 * SQL of account moves between cells: who serves an account, and how far its move is. `postern account move` calls it
 * with the databases of both cells.
 */
import type { Queryable } from '../platform/database.ts'

/**
 * What moves with an account. Its id and the epoch of its tokens belong to the cell, which signs them. An account that
 * returns gets the next epoch: its tokens may have been revoked in the other cell.
 */
export const movedColumns = [
  ...[
    'client_id',
    'name',
    'password_hash',
    'blocked',
    'blocked_backlog',
    'may_poll',
    'part_counts',
    'report_keys',
    'created_at',
  ],
  ...[
    'send_limit',
    'report_limit',
    'file_limit',
    'form_limit',
    'lane',
    'weight',
    'erase_after_days',
    'uncertain_fallback',
  ],
  ...['smpp_binds', 'smpp_system_id', 'smpp_replies'],
] as const
export const ownColumns = [
  'id',
  'token_epoch',
  'updated_at',
  'served_by',
  'moving_until',
  'moving_by',
  'cursor_id',
] as const

export interface MovingAccount {
  readonly id: number
  readonly cursorId: number
  /** The cell that serves it; null: the cell of this database. */
  readonly servedBy: string | null
  /** The moved columns, as JSON. */
  readonly row: string
}

export async function readMoving(database: Queryable, clientId: string): Promise<MovingAccount | null> {
  const result = await database.query<MovingAccount>(
    `select id, coalesce(cursor_id, id) as "cursorId", served_by as "servedBy", to_json(a)::text as row
       from accounts a where client_id = $1`,
    [clientId],
  )
  return result.rows[0] ?? null
}

export interface AccountMove {
  readonly accountId: number
  readonly fromCell: string
  readonly copiedSeq: number
  readonly openedAt: Date | null
  readonly forwardedSeq: number | null
  readonly endedAt: Date | null
  /** The usage of the old cell that was added at the end: rows of usage_days, as JSON. */
  readonly usage: string | null
}

const moveColumns = `account_id as "accountId", from_cell as "fromCell", copied_seq as "copiedSeq", opened_at as "openedAt",
  forwarded_seq as "forwardedSeq", ended_at as "endedAt", usage::text as usage`

/** Creates or updates the account in the new cell, which does not serve it yet. Its id there; null when it serves it. */
export async function importAccount(
  transaction: Queryable,
  account: MovingAccount,
  fromCell: string,
): Promise<number | null> {
  const settings = movedColumns.filter((column) => column !== 'client_id')
  const result = await transaction.query<{ id: number }>(
    `insert into accounts as a (${movedColumns.join(', ')}, served_by, cursor_id)
     select ${movedColumns.map((column) => `r.${column}`).join(', ')}, $2, $3
       from json_populate_record(null::accounts, $1::json) as r
     on conflict (client_id) do update
       set ${settings.map((column) => `${column} = excluded.${column}`).join(', ')},
           served_by = excluded.served_by, cursor_id = excluded.cursor_id, token_epoch = a.token_epoch + 1,
           updated_at = now()
       where a.served_by is not null
     returning id`,
    [account.row, fromCell, account.cursorId],
  )
  return result.rows[0]?.id ?? null
}

/** Begins a move; false when one from the same cell has begun and not ended, and is continued. */
export async function beginMove(
  transaction: Queryable,
  accountId: number,
  fromCell: string,
  sourceId: number,
): Promise<boolean> {
  const result = await transaction.query(
    `insert into account_moves as m (account_id, from_cell, source_id) values ($1, $2, $3)
     on conflict (account_id) do update
       set from_cell = excluded.from_cell, source_id = excluded.source_id, started_at = now(), copied_seq = 0,
           opened_at = null, forwarded_seq = null, ended_at = null, usage = null
     where m.from_cell <> excluded.from_cell or m.ended_at is not null`,
    [accountId, fromCell, sourceId],
  )
  return result.rowCount === 1
}

export async function readMove(database: Queryable, accountId: number): Promise<AccountMove | null> {
  const result = await database.query<AccountMove>(
    `select ${moveColumns} from account_moves where account_id = $1`,
    [accountId],
  )
  return result.rows[0] ?? null
}

/** Locked until the transaction ends, so that two runs of the command do not copy the same report. */
export async function lockMove(transaction: Queryable, accountId: number): Promise<AccountMove | null> {
  const result = await transaction.query<AccountMove>(
    `select ${moveColumns} from account_moves where account_id = $1 for update`,
    [accountId],
  )
  return result.rows[0] ?? null
}

export async function saveCopied(transaction: Queryable, accountId: number, seq: number): Promise<void> {
  await transaction.query('update account_moves set copied_seq = $2 where account_id = $1', [accountId, seq])
}

export async function saveForwarded(transaction: Queryable, accountId: number, seq: number): Promise<void> {
  await transaction.query('update account_moves set forwarded_seq = $2 where account_id = $1', [
    accountId,
    seq,
  ])
}

/** The pause of an account, and the run that holds it: another run may take it over, and then the first one must stop. */
export interface Pause {
  readonly clientId: string
  /** Random, of the run. */
  readonly holder: string
  readonly seconds: number
}

/** No process of the cell serves the account for this long. False when another cell serves it already. */
export async function pauseAccount(
  database: Queryable,
  { clientId, holder, seconds }: Pause,
): Promise<boolean> {
  const result = await database.query(
    `update accounts set moving_until = now() + $2::integer * interval '1 second', moving_by = $3
      where client_id = $1 and served_by is null`,
    [clientId, seconds, holder],
  )
  return result.rowCount === 1
}

/** False when the pause has ended or another run holds it: what was copied since may be out of date. */
export async function renewPause(
  database: Queryable,
  { clientId, holder, seconds }: Pause,
): Promise<boolean> {
  const result = await database.query(
    `update accounts set moving_until = now() + $2::integer * interval '1 second'
      where client_id = $1 and served_by is null and moving_until > now() and moving_by = $3`,
    [clientId, seconds, holder],
  )
  return result.rowCount === 1
}

export async function resumeAccount(database: Queryable, { clientId, holder }: Pause): Promise<void> {
  await database.query(
    'update accounts set moving_until = null, moving_by = null where client_id = $1 and moving_by = $2',
    [clientId, holder],
  )
}

/**
 * The cell gives the account up for good. False when its pause has ended or another run holds it: then the cell may have
 * served the account after it was copied.
 */
export async function handOver(
  database: Queryable,
  { clientId, holder }: Pause,
  toCell: string,
): Promise<boolean> {
  const result = await database.query(
    `update accounts set served_by = $2, moving_until = null, moving_by = null, updated_at = now()
      where client_id = $1 and served_by is null and moving_until > now() and moving_by = $3`,
    [clientId, toCell, holder],
  )
  return result.rowCount === 1
}

/** The new cell serves the account from now on. False when another run has opened it. */
export async function openAccount(
  transaction: Queryable,
  accountId: number,
  fromCell: string,
): Promise<boolean> {
  const result = await transaction.query(
    `update account_moves set opened_at = now(), forwarded_seq = copied_seq
      where account_id = $1 and from_cell = $2 and opened_at is null`,
    [accountId, fromCell],
  )
  if (result.rowCount !== 1) return false
  await transaction.query(
    'update accounts set served_by = null, moving_until = null, updated_at = now() where id = $1',
    [accountId],
  )
  return true
}

/** `usage`: rows of usage_days that were added, as JSON. */
export async function endMove(
  transaction: Queryable,
  accountId: number,
  usage: readonly string[],
): Promise<void> {
  await transaction.query(
    `update account_moves set ended_at = coalesce(ended_at, now()), usage = $2 where account_id = $1`,
    [accountId, `[${usage.join(',')}]`],
  )
}
