/**
 * What protects an account against abuse of its credentials, set by the operator: countries, velocity, links, caps. SQL of
 * account_protection and account_caps, their only writer. Read into memory by the group of rules, changed by
 * `postern protection`.
 */
import { inTransaction, type Queryable, type Transactional } from '../../platform/database.ts'
import { raiseVersion } from '../versions.ts'
import type { LinkChoice, Period, Reaction } from './protection-choices.ts'

export interface Cap {
  readonly period: Period
  /** `all`, a channel, or an ISO country code of international messages. */
  readonly class: string
  /** Messages; parts of international messages. */
  readonly max: number
}

export interface Protection {
  /** ISO codes that international messages may be sent to; `*`: all. */
  readonly countries: readonly string[]
  /** What becomes of a message that velocity, a sequence of numbers or a link makes suspicious. */
  readonly onSuspicion: Reaction
  /** Messages to one number in an hour; null: that of the rule. */
  readonly recipientPerHour: number | null
  /** Messages to one prefix, a number without its last three digits, in ten minutes; null: that of the rule. */
  readonly prefixPer10Minutes: number | null
  readonly links: LinkChoice
  /** Domains whose links pass, with everything under them. */
  readonly linkDomains: readonly string[]
  /** Numbers and prefixes that velocity and sequences do not concern. */
  readonly safeNumbers: readonly string[]
}

export interface ProtectedAccount extends Protection {
  readonly caps: readonly Cap[]
}

export const defaultProtection: ProtectedAccount = {
  countries: [],
  onSuspicion: 'refuse',
  recipientPerHour: null,
  prefixPer10Minutes: null,
  links: 'any',
  linkDomains: [],
  safeNumbers: [],
  caps: [],
}

const columns = `countries, on_suspicion as "onSuspicion", recipient_per_hour as "recipientPerHour",
  prefix_per_10_minutes as "prefixPer10Minutes", links, link_domains as "linkDomains", safe_numbers as "safeNumbers"`

export async function loadProtection(database: Queryable): Promise<Map<number, ProtectedAccount>> {
  const rows = await database.query<Protection & { accountId: number }>(
    `select account_id as "accountId", ${columns} from account_protection`,
  )
  const found = new Map<number, ProtectedAccount>()
  for (const { accountId, ...own } of rows.rows) found.set(accountId, { ...own, caps: [] })
  const caps = await database.query<Cap & { accountId: number }>(
    `select account_id as "accountId", period, class, max from account_caps order by account_id, class, period`,
  )
  for (const [accountId, own] of Map.groupBy(caps.rows, (row) => row.accountId)) {
    const list = own.map(({ period, class: name, max }) => ({ period, class: name, max }))
    found.set(accountId, { ...(found.get(accountId) ?? defaultProtection), caps: list })
  }
  return found
}

export async function readProtection(database: Queryable, accountId: number): Promise<ProtectedAccount> {
  const own = await database.query<Protection>(
    `select ${columns} from account_protection where account_id = $1`,
    [accountId],
  )
  const caps = await database.query<Cap>(
    'select period, class, max from account_caps where account_id = $1 order by class, period',
    [accountId],
  )
  return { ...defaultProtection, ...own.rows[0], caps: caps.rows }
}

/** Changes what is given and keeps the rest. */
export function changeProtection(
  database: Transactional,
  accountId: number,
  change: Partial<Protection>,
): Promise<ProtectedAccount> {
  return inTransaction(database, async (transaction) => {
    // Concurrent changes wait for each other here.
    await raiseVersion(transaction, 'abuse')
    const after = { ...(await readProtection(transaction, accountId)), ...change }
    await writeProtection(transaction, accountId, after)
    return after
  })
}

/** A `max` of null removes the cap. */
export function setCap(
  database: Transactional,
  accountId: number,
  { period, class: name, max }: Omit<Cap, 'max'> & { readonly max: number | null },
): Promise<ProtectedAccount> {
  return inTransaction(database, async (transaction) => {
    await raiseVersion(transaction, 'abuse')
    if (max === null)
      await transaction.query(
        'delete from account_caps where account_id = $1 and period = $2 and class = $3',
        [accountId, period, name],
      )
    else await writeCaps(transaction, accountId, [{ period, class: name, max }])
    return readProtection(transaction, accountId)
  })
}

async function writeCaps(transaction: Queryable, accountId: number, caps: readonly Cap[]): Promise<void> {
  for (const { period, class: name, max } of caps)
    await transaction.query(
      `insert into account_caps (account_id, period, class, max) values ($1, $2, $3, $4)
       on conflict (account_id, period, class) do update set max = excluded.max`,
      [accountId, period, name, max],
    )
}

async function writeProtection(
  transaction: Queryable,
  accountId: number,
  { countries, onSuspicion, recipientPerHour, prefixPer10Minutes, ...own }: Protection,
): Promise<void> {
  await transaction.query(
    `insert into account_protection (account_id, countries, on_suspicion, recipient_per_hour, prefix_per_10_minutes, links,
                                     link_domains, safe_numbers)
     values ($1, $2, $3, $4, $5, $6, $7, $8)
     on conflict (account_id) do update
        set countries = excluded.countries, on_suspicion = excluded.on_suspicion, links = excluded.links,
            recipient_per_hour = excluded.recipient_per_hour, prefix_per_10_minutes = excluded.prefix_per_10_minutes,
            link_domains = excluded.link_domains, safe_numbers = excluded.safe_numbers`,
    [
      ...[accountId, countries, onSuspicion, recipientPerHour, prefixPer10Minutes],
      ...[own.links, own.linkDomains, own.safeNumbers],
    ],
  )
}
