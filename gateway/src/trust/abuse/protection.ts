/**
 * The settings that protect an account against abuse of its credentials: countries, velocity, links and caps.
 * The only writer of account_protection and account_caps.
 */
import { inTransaction, type Queryable, type Transactional } from '../../platform/database/database.ts'
import { createAccountTable } from '../account-table.ts'
import { incrementVersion } from '../versions.ts'
import type { LinkChoice, Period, Reaction } from './protection-choices.ts'

export interface Cap {
  readonly period: Period
  /** `all`, a channel, or an ISO country code of international messages. */
  readonly class: string
  /** Maximum number of messages; of parts for the class `international` and for countries. */
  readonly max: number
}

export interface Protection {
  /** ISO codes of the allowed countries of international messages; `*` stands for all. */
  readonly countries: readonly string[]
  /** Action on a suspicious message. */
  readonly onSuspicion: Reaction
  /** Messages per number and hour; `null` means the default of the rule. */
  readonly recipientPerHour: number | null
  /**
   * Messages per prefix (a number without its last three digits) and ten minutes; `null` means the default of
   * the rule.
   */
  readonly prefixPer10Minutes: number | null
  readonly links: LinkChoice
  /** Domains whose links are allowed, including their subdomains. */
  readonly linkDomains: readonly string[]
  /** Numbers and prefixes that are exempt from velocity and conversion. */
  readonly safeNumbers: readonly string[]
}

export interface ProtectedAccount extends Protection {
  readonly caps: readonly Cap[]
}

const defaults: Protection = {
  countries: [],
  onSuspicion: 'refuse',
  recipientPerHour: null,
  prefixPer10Minutes: null,
  links: 'any',
  linkDomains: [],
  safeNumbers: [],
}

export const defaultProtection: ProtectedAccount = { ...defaults, caps: [] }

const table = createAccountTable<Protection>({
  table: 'account_protection',
  topic: 'abuse',
  columns: {
    countries: 'countries',
    onSuspicion: 'on_suspicion',
    recipientPerHour: 'recipient_per_hour',
    prefixPer10Minutes: 'prefix_per_10_minutes',
    links: 'links',
    linkDomains: 'link_domains',
    safeNumbers: 'safe_numbers',
  },
  defaults,
})

export async function loadProtection(database: Queryable): Promise<Map<number, ProtectedAccount>> {
  const protections = await table.load(database)
  const { rows } = await database.query<Cap & { accountId: number }>(
    `select account_id as "accountId", period, class, max from account_caps order by account_id, class, period`,
  )
  const caps = Map.groupBy(rows, ({ accountId }) => accountId)
  const ids = new Set([...protections.keys(), ...caps.keys()])
  return new Map(
    [...ids].map((id) => [
      id,
      { ...(protections.get(id) ?? defaults), caps: (caps.get(id) ?? []).map(toCap) },
    ]),
  )
}

const toCap = ({ period, class: name, max }: Cap): Cap => ({ period, class: name, max })

export async function readProtection(database: Queryable, accountId: number): Promise<ProtectedAccount> {
  const stored = await table.read(database, accountId)
  const caps = await database.query<Cap>(
    'select period, class, max from account_caps where account_id = $1 order by class, period',
    [accountId],
  )
  return { ...stored, caps: caps.rows }
}

/** Changes the given settings and keeps the others. */
export function updateProtection(
  database: Transactional,
  accountId: number,
  change: Partial<Protection>,
): Promise<ProtectedAccount> {
  return inTransaction(database, async (transaction) => {
    await table.change(transaction, accountId, change)
    return readProtection(transaction, accountId)
  })
}

/** Sets or removes a cap. A `max` of null removes it. */
export function setCap(
  database: Transactional,
  accountId: number,
  { period, class: name, max }: Omit<Cap, 'max'> & { readonly max: number | null },
): Promise<ProtectedAccount> {
  return inTransaction(database, async (transaction) => {
    await incrementVersion(transaction, 'abuse')
    if (max === null)
      await transaction.query(
        'delete from account_caps where account_id = $1 and period = $2 and class = $3',
        [accountId, period, name],
      )
    else
      await transaction.query(
        `insert into account_caps (account_id, period, class, max) values ($1, $2, $3, $4)
         on conflict (account_id, period, class) do update set max = excluded.max`,
        [accountId, period, name, max],
      )
    return readProtection(transaction, accountId)
  })
}
