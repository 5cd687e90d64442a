/**
 * Shows and changes what protects an account against abuse. Guarantees: a change and its row of the audit log are stored together or not at
 * all; exempt numbers, which may be of persons, are masked unless they are revealed, which is recorded, and the audit log has only their
 * count.
 */
import { changesBetween } from '../audit/changes.ts'
import { countries as knownCountries } from '../channels/country-codes.ts'
import { maskNumber } from '../channels/numbers.ts'
import type { Database } from '../platform/database.ts'
import { isPrefix } from '../routes/numbering.ts'
import { readDomain } from '../trust/abuse/links.ts'
import {
  changeProtection as storeProtection,
  readProtection,
  type Protection,
} from '../trust/abuse/protection.ts'
import { lockAccount, requireAccountId } from './accounts.ts'
import type { ActAudit } from './act-audit.ts'
import { readCapUse, type UsedCap } from './caps.ts'
import { wrongField } from './errors.ts'

export interface ShownProtection extends Protection {
  readonly clientId: string
  readonly caps: readonly UsedCap[]
}

/** `reveal` records whose numbers are shown whole. */
export async function showProtection(
  database: Database,
  clientId: string,
  timeZone: string,
  reveal: ActAudit | null = null,
): Promise<ShownProtection> {
  const accountId = await requireAccountId(database, clientId)
  const { caps, safeNumbers, ...found } = await readProtection(database, accountId)
  await reveal?.look({ target: 'numbers that are exempt', account: clientId })
  return {
    clientId,
    ...found,
    safeNumbers: reveal === null ? safeNumbers.map(maskNumber) : safeNumbers,
    caps: await readCapUse(database, accountId, caps, timeZone),
  }
}

export async function changeProtection(
  audit: ActAudit,
  clientId: string,
  given: Partial<Protection>,
): Promise<void> {
  const change = readChange(given)
  await audit.change(async (transaction) => {
    const { id } = await lockAccount(transaction, clientId)
    const before = await readProtection(transaction, id)
    const after = await storeProtection(transaction, id, change)
    // The safe numbers may be of persons.
    const { safeNumbers, ...changed } = changesBetween(before, after)
    const details = {
      ...changed,
      ...(safeNumbers === undefined ? {} : { safeNumbers: after.safeNumbers.length }),
    }
    return [undefined, { target: clientId, account: clientId, details }]
  })
}

function readChange({
  countries,
  linkDomains,
  safeNumbers,
  ...others
}: Partial<Protection>): Partial<Protection> {
  return {
    ...others,
    ...(countries && { countries: readCountries(countries) }),
    ...(linkDomains && { linkDomains: linkDomains.map(readOwnDomain) }),
    ...(safeNumbers && { safeNumbers: safeNumbers.map(readSafeNumber) }),
  }
}

function readCountries(given: readonly string[]): readonly string[] {
  if (given.includes('all') || given.includes('*')) return ['*']
  const wrong = given.find((code) => !knownCountries.has(code))
  if (wrong === undefined) return given
  throw wrongField('countries', `must be ISO codes such as DE, or "all", not '${wrong}'`)
}

function readOwnDomain(text: string): string {
  const domain = readDomain(text)
  if (domain !== null) return domain
  throw wrongField('linkDomains', `must be domains of one owner such as shop.kr, not '${text}'`)
}

function readSafeNumber(text: string): string {
  if (isPrefix(text) && text.length >= 3) return text
  throw wrongField('safeNumbers', `must be numbers or prefixes such as 01012345678 or +4915, not '${text}'`)
}
