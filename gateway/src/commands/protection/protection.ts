/** `postern protection show`, `set` and `cap`. */
import { changeCaps, readCapUse, type CapChange, type UsedCap } from '../../acts/caps.ts'
import { findAccountId } from '../../accounts/queries.ts'
import { changesBetween } from '../../audit/changes.ts'
import { maskNumber } from '../../channels/numbers.ts'
import type { Database } from '../../platform/database.ts'
import { isCapClass } from '../../trust/abuse/cap-classes.ts'
import { countries } from '../../channels/country-codes.ts'
import { readDomain } from '../../trust/abuse/links.ts'
import {
  changeProtection,
  periods,
  readProtection,
  type ProtectedAccount,
  type Protection,
} from '../../trust/abuse/protection.ts'
import { isPrefix } from '../../routes/numbering.ts'
import { lockServed } from '../../acts/served.ts'
import { noSuchAccount } from '../account/view.ts'
import type { ActAudit } from '../../acts/act-audit.ts'
import { withDatabase } from '../connect.ts'
import { UsageError } from '../errors.ts'
import type { Invocation } from '../invocation.ts'
import { table, type Result } from '../result.ts'

export type ProtectionOptions = Partial<Protection>

export interface CapOptions extends CapChange {
  readonly class: string
}

export interface ShowOptions {
  readonly reveal?: true
}

export function showProtection(
  invocation: Invocation<'timeZone'>,
  clientId: string,
  { reveal }: ShowOptions,
): Promise<Result> {
  return withAccount(
    invocation,
    clientId,
    async (database, id, audit) => {
      const found = await readProtection(database, id)
      if (reveal === true) await audit.look({ target: 'numbers that are exempt', account: clientId })
      return found
    },
    reveal,
  )
}

export function setProtection(
  invocation: Invocation<'timeZone'>,
  clientId: string,
  options: ProtectionOptions,
): Promise<Result> {
  const { onSuspicion, recipientPerHour, prefixPer10Minutes, links } = options
  const given = { onSuspicion, recipientPerHour, prefixPer10Minutes, links }
  const change = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
  const lists = {
    ...(options.countries === undefined ? {} : { countries: readCountries(options.countries) }),
    ...(options.linkDomains === undefined ? {} : { linkDomains: options.linkDomains.map(checkDomain) }),
    ...(options.safeNumbers === undefined ? {} : { safeNumbers: options.safeNumbers.map(checkNumber) }),
  }
  return withAccount(invocation, clientId, (_database, id, audit) =>
    audit.change(async (transaction) => {
      await lockServed(transaction, clientId)
      const before = await readProtection(transaction, id)
      const after = await changeProtection(transaction, id, { ...change, ...lists })
      // The safe numbers may be of persons.
      const { safeNumbers, ...changed } = changesBetween(before, after)
      const details = {
        ...changed,
        ...(safeNumbers === undefined ? {} : { safeNumbers: after.safeNumbers.length }),
      }
      return [after, { target: clientId, account: clientId, details }] as const
    }),
  )
}

export function setCaps(
  invocation: Invocation<'timeZone'>,
  clientId: string,
  options: CapOptions,
): Promise<Result> {
  const name = options.class
  if (!isCapClass(name))
    throw new UsageError(`--class must be "all", a channel or the ISO code of a country, not '${name}'`)
  const given = periods.filter((period) => options[period] !== undefined)
  if (given.length === 0) throw new UsageError('--day or --month is missing: a number, or "none"')
  return withAccount(invocation, clientId, (_database, _id, audit) =>
    changeCaps(audit, clientId, name, options),
  )
}

async function withAccount(
  invocation: Invocation<'timeZone'>,
  clientId: string,
  work: (database: Database, id: number, audit: ActAudit) => Promise<ProtectedAccount>,
  reveal = false,
): Promise<Result> {
  return withDatabase(invocation, async (database, { timeZone }, audit) => {
    const id = await findAccountId(database, clientId)
    if (id === null) throw noSuchAccount(clientId)
    const { caps, ...found } = await work(database, id, audit)
    const own = reveal ? found : { ...found, safeNumbers: found.safeNumbers.map(maskNumber) }
    const used = await readCapUse(database, id, caps, timeZone)
    return { json: { clientId, ...own, caps: used }, lines: describe(clientId, own, used) }
  })
}

function describe(clientId: string, own: Protection, caps: readonly UsedCap[]): string[] {
  const names = (list: readonly string[]): string => (list.length === 0 ? 'none' : list.join(', '))
  const limit = (value: number | null): string => (value === null ? 'default' : String(value))
  return table([
    ['account', clientId],
    ['countries', own.countries.includes('*') ? 'all' : names(own.countries)],
    ['on suspicion', own.onSuspicion],
    ['to one number an hour', limit(own.recipientPerHour)],
    ['to one prefix in 10 minutes', limit(own.prefixPer10Minutes)],
    ['links', own.links],
    ['domains', names(own.linkDomains)],
    ['safe numbers', names(own.safeNumbers)],
    ...caps.map(({ period, class: name, max, used }) => [
      `cap of ${name} a ${period}`,
      `${max}, ${used} used (${max === 0 ? 100 : Math.floor((100 * used) / max)} %)`,
    ]),
  ])
}

function readCountries(given: readonly string[]): string[] {
  if (given.includes('all')) return ['*']
  const wrong = given.find((code) => !countries.has(code))
  if (wrong !== undefined)
    throw new UsageError(`--countries must be ISO codes such as DE, or "all", not '${wrong}'`)
  return [...given]
}

function checkDomain(text: string): string {
  const domain = readDomain(text)
  if (domain === null)
    throw new UsageError(`--link-domains must be domains of one owner such as shop.kr, not '${text}'`)
  return domain
}

function checkNumber(text: string): string {
  if (isPrefix(text) && text.length >= 3) return text
  throw new UsageError(
    `--safe-numbers must be numbers or prefixes such as 01012345678 or +4915, not '${text}'`,
  )
}
