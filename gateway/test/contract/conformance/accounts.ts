import { query } from '../../support/processes/scratch-database.ts'

/** Columns that differ from an account without limits. */
type Settings = Readonly<Record<string, number | boolean | string>>

const limited: Settings = { send_limit: 1, report_limit: 1 }

/** Tests run concurrently, so each account that polls, is limited or is damaged belongs to one test. */
const copies = {
  record: {},
  relayed: {},
  batch: {},
  empty: {},
  twice: {},
  thousand: {},
  pending: {},
  aged: {},
  inquiry: {},
  stranger: {},
  tokens: {},
  hasty: {},
  faulty: {},
  // No such lane exists, so every send of the account fails.
  damaged: { lane: 'none' },
  asker: {},
  counted: { part_counts: true },
  plain: { report_keys: 'plain', part_counts: true },
  silent: { may_poll: false },
  'limited-polling': limited,
  'limited-delete': limited,
  'limited-alimtalk': limited,
  'limited-friendtalk': limited,
  'limited-international': limited,
  'limited-rcs': limited,
  'limited-omni': limited,
} as const satisfies Readonly<Record<string, Settings>>

export type AccountName = 'main' | keyof typeof copies

export const copyNames = Object.keys(copies) as (keyof typeof copies)[]

/** Account with an invalid stored password hash. In the account `damaged`, a report and the lane are invalid instead. */
export const damagedClientId = 'broken'

/**
 * Copies the main account, including its password, because hashing is slow, and creates the account `broken`. The
 * client ID of a copy is its name.
 */
export async function copyAccounts(databaseUrl: string, mainClientId: string): Promise<void> {
  await query(databaseUrl, 'alter table accounts drop constraint accounts_lane_check')
  for (const [name, settings] of Object.entries(copies)) {
    const columns: Settings = { send_limit: 0, report_limit: 0, file_limit: 0, form_limit: 0, ...settings }
    await query(
      databaseUrl,
      `insert into accounts (client_id, name, ${Object.keys(columns).join(', ')})
       values ($1, $1, ${Object.values(columns)
         .map((value) => `'${value}'`)
         .join(', ')})`,
      [name],
    )
  }
  await query(databaseUrl, 'insert into accounts (client_id, name) values ($1, $1)', [damagedClientId])
  await query(
    databaseUrl,
    `insert into credentials (account_id, key_id, kind, hash, created_by)
     select a.id, 'COPY' || lpad(a.id::text, 8, '0'), 'password', case when a.client_id = $2 then 'damaged' else c.hash end, 'test'
       from accounts a, accounts main join credentials c on c.account_id = main.id
      where main.client_id = $1 and a.id <> main.id`,
    [mainClientId, damagedClientId],
  )
}
