/** `postern protection show`, `set` and `cap`, both ways. */
import type { CapChange } from '../../acts/caps.ts'
import { asOption } from '../../acts/names.ts'
import { readProtectionChange, type ProtectionChange, type ShownProtection } from '../../acts/protection.ts'
import { isCapClass } from '../../trust/abuse/caps.ts'
import { periods, type Period } from '../../trust/abuse/protection-choices.ts'
import type { Protection } from '../../trust/abuse/protection.ts'
import { UsageError } from '../errors.ts'
import type { AdminClient } from '../client/client.ts'
import { table, type Result } from '../result.ts'

/** Words stand for null: commander replaces a null that an option is read as. */
type Limit = number | 'default' | undefined
export interface ProtectionOptions extends Omit<ProtectionChange, 'recipientPerHour' | 'prefixPer10Minutes'> {
  readonly recipientPerHour?: Limit
  readonly prefixPer10Minutes?: Limit
}

export interface CapOptions extends Partial<Readonly<Record<Period, number | 'none'>>> {
  readonly class: string
}

export interface ShowOptions {
  readonly reveal?: true
}

export async function showProtection(
  admin: AdminClient,
  clientId: string,
  { reveal }: ShowOptions,
): Promise<Result> {
  const query = { reveal, ...admin.reason }
  return describe(clientId, await admin.call('showProtection', { params: { clientId }, query }))
}

export async function setProtection(
  admin: AdminClient,
  clientId: string,
  options: ProtectionOptions,
): Promise<Result> {
  const body = { ...readOptions(options), ...admin.requireReason() }
  return describe(clientId, await admin.call('setProtection', { params: { clientId }, body }))
}

export async function setCaps(admin: AdminClient, clientId: string, options: CapOptions): Promise<Result> {
  const { name, change } = readCaps(options)
  const body = { class: name, ...change, ...admin.requireReason() }
  return describe(clientId, await admin.call('setAccountCap', { params: { clientId }, body }))
}

function readOptions({
  recipientPerHour,
  prefixPer10Minutes,
  ...others
}: ProtectionOptions): Partial<Protection> {
  const toLimit = (given: Limit) => (given === 'default' ? null : given)
  const limits = {
    recipientPerHour: toLimit(recipientPerHour),
    prefixPer10Minutes: toLimit(prefixPer10Minutes),
  }
  return readProtectionChange({ ...others, ...limits }, asOption)
}

function readCaps(options: CapOptions): { readonly name: string; readonly change: CapChange } {
  const name = options.class
  if (!isCapClass(name))
    throw new UsageError(`--class must be "all", a channel or the ISO code of a country, not '${name}'`)
  const given = periods.filter((period) => options[period] !== undefined)
  if (given.length === 0) throw new UsageError('--day or --month is missing: a number, or "none"')
  const maxOf = (period: Period) => (options[period] === 'none' ? null : options[period])
  return { name, change: Object.fromEntries(given.map((period) => [period, maxOf(period)])) }
}

function describe(clientId: string, shown: ShownProtection): Result {
  const { countries, onSuspicion, recipientPerHour, prefixPer10Minutes, links } = shown
  const { linkDomains, safeNumbers, caps } = shown
  const names = (list: readonly string[]): string => (list.length === 0 ? 'none' : list.join(', '))
  const limit = (value: number | null): string => (value === null ? 'default' : String(value))
  return {
    json: {
      ...{ clientId, countries, onSuspicion, recipientPerHour, prefixPer10Minutes, links },
      ...{ linkDomains, safeNumbers, caps },
    },
    lines: table([
      ['account', clientId],
      ['countries', countries.includes('*') ? 'all' : names(countries)],
      ['on suspicion', onSuspicion],
      ['to one number an hour', limit(recipientPerHour)],
      ['to one prefix in 10 minutes', limit(prefixPer10Minutes)],
      ['links', links],
      ['domains', names(linkDomains)],
      ['safe numbers', names(safeNumbers)],
      ...caps.map(({ period, class: name, max, used }) => [
        `cap of ${name} a ${period}`,
        `${max}, ${used} used (${max === 0 ? 100 : Math.floor((100 * used) / max)} %)`,
      ]),
    ]),
  }
}
