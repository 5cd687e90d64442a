/** What trust knows of an account besides `accounts/`: set by the operator. SQL of account_trust, its only writer. */
import { inTransaction, type Queryable, type Transactional } from '../platform/database.ts'
import type { AccountKind } from './account-kinds.ts'
import { raiseVersion } from './versions.ts'

export interface AccountTrust {
  /** A reseller sends for others, and each of its messages names it as the operator that first accepted it. */
  readonly kind: AccountKind
  /** Its messages reach sandbox routes only, so that it needs no registered sender. */
  readonly sandbox: boolean
  /** Registration numbers that its messages may carry; the first one is used where the client gives none. */
  readonly originCodes: readonly string[]
}

export const defaultAccountTrust: AccountTrust = { kind: 'customer', sandbox: false, originCodes: [] }

const columns = `account_id as "accountId", kind, sandbox, origin_codes as "originCodes"`

export async function loadAccountTrust(database: Queryable): Promise<Map<number, AccountTrust>> {
  const result = await database.query<AccountTrust & { accountId: number }>(
    `select ${columns} from account_trust`,
  )
  return new Map(result.rows.map(({ accountId, ...trust }) => [accountId, trust]))
}

export async function readAccountTrust(database: Queryable, accountId: number): Promise<AccountTrust> {
  const result = await database.query<AccountTrust>(
    'select kind, sandbox, origin_codes as "originCodes" from account_trust where account_id = $1',
    [accountId],
  )
  return result.rows[0] ?? defaultAccountTrust
}

/** Changes what is given and keeps the rest. */
export function changeAccountTrust(
  database: Transactional,
  accountId: number,
  change: Partial<AccountTrust>,
): Promise<AccountTrust> {
  return inTransaction(database, async (transaction) => {
    // Concurrent changes wait for each other here.
    await raiseVersion(transaction, 'accounts')
    const after = { ...(await readAccountTrust(transaction, accountId)), ...change }
    await writeAccountTrust(transaction, accountId, after)
    return after
  })
}

async function writeAccountTrust(
  transaction: Queryable,
  accountId: number,
  trust: AccountTrust,
): Promise<void> {
  await transaction.query(
    `insert into account_trust (account_id, kind, sandbox, origin_codes) values ($1, $2, $3, $4)
     on conflict (account_id) do update
        set kind = excluded.kind, sandbox = excluded.sandbox, origin_codes = excluded.origin_codes`,
    [accountId, trust.kind, trust.sandbox, trust.originCodes],
  )
}
