/**
 * The accounts of the tests. Tests run concurrently, so an account that polls, is limited or is damaged belongs to
 * one test alone. The first is created by the operator's command; the others are copies of its row with the same
 * password, because hashing is slow on purpose.
 */
import { query } from '../support/processes/scratch-database.ts'

/** Columns of the table that differ from those of an account without any limit. */
type Settings = Readonly<Record<string, number | boolean>>

const limited: Settings = { send_limit: 1, report_limit: 1 }

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
  damaged: {},
  asker: {},
  counted: { part_counts: true },
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

/** An account whose stored password hash is invalid. */
export const brokenClientId = 'broken'

/** The client id of a copy is its name. */
export async function copyAccounts(databaseUrl: string, mainClientId: string): Promise<void> {
  for (const [name, settings] of Object.entries(copies)) {
    const columns: Settings = { send_limit: 0, report_limit: 0, file_limit: 0, form_limit: 0, ...settings }
    await query(
      databaseUrl,
      `insert into accounts (client_id, name, ${Object.keys(columns).join(', ')})
       values ($1, $1, ${Object.values(columns).join(', ')})`,
      [name],
    )
  }
  await query(databaseUrl, 'insert into accounts (client_id, name) values ($1, $1)', [brokenClientId])
  await query(
    databaseUrl,
    `insert into credentials (account_id, key_id, kind, hash, created_by)
     select a.id, 'COPY' || lpad(a.id::text, 8, '0'), 'password', case when a.client_id = $2 then 'damaged' else c.hash end, 'test'
       from accounts a, accounts main join credentials c on c.account_id = main.id
      where main.client_id = $1 and a.id <> main.id`,
    [mainClientId, brokenClientId],
  )
}
