/**
 * Shows and changes the abuse protection of an account. A change and its audit row commit together. Exempt
 * numbers can belong to persons: they are masked unless revealed, which is recorded, and the audit log has
 * only their count.
 */
import { diffFields } from '../../identity/audit/diff-fields.ts'
import { countries as knownCountries } from '../../channels/country-codes.ts'
import { maskNumber } from '../../channels/numbers.ts'
import type { Database } from '../../platform/database/database.ts'
import { isPrefix } from '../../carriers/routes/numbering.ts'
import { parseDomain } from '../../trust/abuse/links.ts'
import {
  updateProtection as storeProtection,
  readProtection,
  type Protection,
} from '../../trust/abuse/protection.ts'
import { lockAccount, requireAccountId } from '../find-account.ts'
import type { AuditRecorder } from '../audit-recorder.ts'
import { readCapUse, type UsedCap } from '../caps/caps.ts'
import { wrongField } from '../errors.ts'

export interface ShownProtection extends Protection {
  readonly clientId: string
  readonly caps: readonly UsedCap[]
}

/** `reveal` records the access to whole numbers; without it they are masked. */
export async function showProtection(
  database: Database,
  clientId: string,
  timeZone: string,
  reveal: AuditRecorder | null = null,
): Promise<ShownProtection> {
  const accountId = await requireAccountId(database, clientId)
  const { caps, safeNumbers, ...found } = await readProtection(database, accountId)
  await reveal?.recordAccess({ target: 'numbers that are exempt', account: clientId })
  return {
    clientId,
    ...found,
    safeNumbers: reveal === null ? safeNumbers.map(maskNumber) : safeNumbers,
    caps: await readCapUse(database, accountId, caps, timeZone),
  }
}

export async function changeProtection(
  audit: AuditRecorder,
  clientId: string,
  given: Partial<Protection>,
): Promise<void> {
  const change = readChange(given)
  await audit.change(async (transaction) => {
    const { id } = await lockAccount(transaction, clientId)
    const before = await readProtection(transaction, id)
    const after = await storeProtection(transaction, id, change)
    // Exempt numbers can belong to persons.
    const { safeNumbers, ...changed } = diffFields(before, after)
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
  const unknownCode = given.find((code) => !knownCountries.has(code))
  if (unknownCode === undefined) return given
  throw wrongField('countries', `must be ISO codes such as DE, or "all", not '${unknownCode}'`)
}

function readOwnDomain(text: string): string {
  const domain = parseDomain(text)
  if (domain !== null) return domain
  throw wrongField('linkDomains', `must be domains of one owner such as shop.kr, not '${text}'`)
}

function readSafeNumber(text: string): string {
  if (isPrefix(text) && text.length >= 3) return text
  throw wrongField('safeNumbers', `must be numbers or prefixes such as 01012345678 or +4915, not '${text}'`)
}
