/**
 * Shows and changes what trust knows of an account, and what its advertisements must have. Guarantees: a change needs a reason, and is stored
 * together with its row of the audit log or not at all; lists are bounded. Called by commands and the admin API.
 */
import { changesBetween } from '../audit/changes.ts'
import { plainNumber } from '../channels/numbers.ts'
import type { OriginForm } from '../channels/origin-form.ts'
import type { Queryable } from '../platform/database.ts'
import { isShown } from '../platform/shown-text.ts'
import { changeAccountTrust, readAccountTrust, type AccountTrust } from '../trust/accounts.ts'
import {
  changeAccountAdvertising,
  readAccountAdvertising,
  type AccountAdvertising,
} from '../trust/advertising/accounts.ts'
import { lockAccount, requireAccountId } from './accounts.ts'
import type { ActAudit } from './act-audit.ts'
import { UsageError } from './errors.ts'
import type { NameOf } from './names.ts'

/** Bounds origin codes, names and opt-out numbers, each list by itself. */
export const maxListed = 20
export const maxName = 40

/** What is left out stays. */
export type TrustChange = { readonly [Field in keyof AccountTrust]?: AccountTrust[Field] | undefined }
export type AdvertisingChange = {
  readonly [Field in keyof AccountAdvertising]?: AccountAdvertising[Field] | undefined
}

export async function showTrust(database: Queryable, clientId: string): Promise<AccountTrust> {
  return readAccountTrust(database, await requireAccountId(database, clientId))
}

export async function showAdvertising(database: Queryable, clientId: string): Promise<AccountAdvertising> {
  return readAccountAdvertising(database, await requireAccountId(database, clientId))
}

/** Empty where nothing is to change. `form`: absent in a command over the admin API, which knows it. */
export function readTrustChange(
  { kind, sandbox, originCodes }: TrustChange,
  nameOf: NameOf,
  form?: OriginForm,
): Partial<AccountTrust> {
  const wrong = form && originCodes?.find((code) => !form.fits(code))
  if (form !== undefined && wrong !== undefined)
    throw new UsageError(`an origin code must be ${form.words}, not '${wrong}'`)
  requireFew(originCodes, nameOf('originCodes'))
  return {
    ...(kind === undefined ? {} : { kind }),
    ...(originCodes === undefined ? {} : { originCodes }),
    ...(sandbox === undefined ? {} : { sandbox }),
  }
}

/** Empty where nothing is to change. People write numbers with hyphens and spaces. */
export function readAdvertisingChange(
  { advertiser, names, optOutNumbers }: AdvertisingChange,
  nameOf: NameOf,
): Partial<AccountAdvertising> {
  const numbers = optOutNumbers?.map(plainNumber)
  const wrong = numbers?.find((number) => !/^080\d{7,8}$/.test(number))
  if (wrong !== undefined)
    throw new UsageError(`${nameOf('optOutNumbers')} must be 080 numbers, not '${wrong}'`)
  const trimmed = names?.map((name) => name.trim())
  const wrongName = trimmed?.find((name) => name === '' || name.length > maxName || !isShown(name))
  if (wrongName !== undefined)
    throw new UsageError(
      `${nameOf('names')} must have 1 to ${maxName} characters each, without control characters, not '${wrongName}'`,
    )
  requireFew(numbers, nameOf('optOutNumbers'))
  requireFew(trimmed, nameOf('names'))
  return {
    ...(advertiser === undefined ? {} : { advertiser }),
    ...(trimmed === undefined ? {} : { names: trimmed }),
    ...(numbers === undefined ? {} : { optOutNumbers: numbers }),
  }
}

function requireFew(given: readonly string[] | undefined, name: string): void {
  if ((given?.length ?? 0) > maxListed)
    throw new UsageError(`${name} must be at most ${maxListed}, not ${given!.length}`)
}

export function changeTrust(
  audit: ActAudit,
  clientId: string,
  change: Partial<AccountTrust>,
): Promise<AccountTrust> {
  audit.requireReason('what an account may do')
  return audit.change(async (transaction) => {
    const { id } = await lockAccount(transaction, clientId)
    const before = await readAccountTrust(transaction, id)
    const after = await changeAccountTrust(transaction, id, change)
    return [after, { target: clientId, account: clientId, details: changesBetween(before, after) }]
  })
}

export function changeAdvertising(
  audit: ActAudit,
  clientId: string,
  change: Partial<AccountAdvertising>,
): Promise<AccountAdvertising> {
  audit.requireReason('a change of what advertisements must have')
  return audit.change(async (transaction) => {
    const { id } = await lockAccount(transaction, clientId)
    const before = await readAccountAdvertising(transaction, id)
    const after = await changeAccountAdvertising(transaction, id, change)
    return [after, { target: clientId, account: clientId, details: changesBetween(before, after) }]
  })
}
