/**
 * Shows and changes what protects an account against abuse. Guarantees: a change and its row of the audit log are stored together or not at
 * all; exempt numbers, which may be of persons, are masked unless they are revealed, which is recorded, and the audit log has only their
 * count. Called by commands and the admin API.
 */
import { changesBetween } from '../audit/changes.ts'
import { countries } from '../channels/country-codes.ts'
import { maskNumber } from '../channels/numbers.ts'
import type { Database } from '../platform/database.ts'
import { isPrefix } from '../routes/numbering.ts'
import { readDomain } from '../trust/abuse/links.ts'
import {
  changeProtection as storeProtection,
  readProtection,
  type ProtectedAccount,
  type Protection,
} from '../trust/abuse/protection.ts'
import { lockAccount, requireAccountId } from './accounts.ts'
import type { ActAudit } from './act-audit.ts'
import { readCapUse, type UsedCap } from './caps.ts'
import { UsageError } from './errors.ts'
import type { NameOf } from './names.ts'

export const maxPerTime = 1_000_000
/** These bound the length of each list: processes keep them in memory. */
export const maxCountries = 300
export const maxDomains = 200
export const maxSafeNumbers = 1_000

export interface ShownProtection extends Protection {
  readonly caps: readonly UsedCap[]
}

/** What is left out stays. */
export type ProtectionChange = { readonly [Field in keyof Protection]?: Protection[Field] | undefined }

/** `reveal`: whole numbers, which is recorded. */
export async function showProtection(
  database: Database,
  audit: ActAudit,
  clientId: string,
  { timeZone, reveal }: { readonly timeZone: string; readonly reveal: boolean },
): Promise<ShownProtection> {
  const accountId = await requireAccountId(database, clientId)
  const found = await readProtection(database, accountId)
  if (reveal) await audit.look({ target: 'numbers that are exempt', account: clientId })
  const shown = await toShown(database, accountId, found, timeZone)
  return reveal ? { ...shown, safeNumbers: found.safeNumbers } : shown
}

/** Masked, with what is used of the caps. */
export async function withUse(
  database: Database,
  clientId: string,
  found: ProtectedAccount,
  timeZone: string,
): Promise<ShownProtection> {
  return toShown(database, await requireAccountId(database, clientId), found, timeZone)
}

async function toShown(
  database: Database,
  accountId: number,
  { caps, ...found }: ProtectedAccount,
  timeZone: string,
): Promise<ShownProtection> {
  return {
    ...{ ...found, safeNumbers: found.safeNumbers.map(maskNumber) },
    caps: await readCapUse(database, accountId, caps, timeZone),
  }
}

export function changeProtection(
  audit: ActAudit,
  clientId: string,
  change: Partial<Protection>,
): Promise<ProtectedAccount> {
  return audit.change(async (transaction) => {
    const { id } = await lockAccount(transaction, clientId)
    const before = await readProtection(transaction, id)
    const after = await storeProtection(transaction, id, change)
    // The safe numbers may be of persons.
    const { safeNumbers, ...changed } = changesBetween(before, after)
    const details = {
      ...changed,
      ...(safeNumbers === undefined ? {} : { safeNumbers: after.safeNumbers.length }),
    }
    return [after, { target: clientId, account: clientId, details }]
  })
}

/** Refuses a change that changes nothing. */
export function readProtectionChange(given: ProtectionChange, nameOf: NameOf): Partial<Protection> {
  const { onSuspicion, recipientPerHour, prefixPer10Minutes, links } = given
  const lists = {
    countries: readItems(given.countries, nameOf('countries'), maxCountries, readCountry),
    linkDomains: readItems(given.linkDomains, nameOf('linkDomains'), maxDomains, readOwnDomain),
    safeNumbers: readItems(given.safeNumbers, nameOf('safeNumbers'), maxSafeNumbers, readSafeNumber),
  }
  const all = {
    ...{ ...lists, onSuspicion, recipientPerHour, prefixPer10Minutes, links },
    ...(lists.countries?.includes('*') === true ? { countries: ['*'] } : {}),
  }
  const change = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined))
  if (Object.keys(change).length > 0) return change
  throw new UsageError(
    `there is nothing to change: give at least one of ${Object.keys(all).map(nameOf).join(', ')}`,
  )
}

function readItems(
  given: readonly string[] | undefined,
  name: string,
  max: number,
  read: (text: string, name: string) => string,
): string[] | undefined {
  if (given === undefined) return undefined
  if (given.length > max) throw new UsageError(`${name} must be at most ${max}, not ${given.length}`)
  return given.map((text) => read(text, name))
}

function readCountry(text: string, name: string): string {
  if (text === 'all' || text === '*') return '*'
  if (countries.has(text)) return text
  throw new UsageError(`${name} must be ISO codes such as DE, or "all", not '${text}'`)
}

function readOwnDomain(text: string, name: string): string {
  const domain = readDomain(text)
  if (domain !== null) return domain
  throw new UsageError(`${name} must be domains of one owner such as shop.kr, not '${text}'`)
}

function readSafeNumber(text: string, name: string): string {
  if (isPrefix(text) && text.length >= 3) return text
  throw new UsageError(`${name} must be numbers or prefixes such as 01012345678 or +4915, not '${text}'`)
}
