/** `postern trust advertising`. */
import { findAccountId } from '../../accounts/queries.ts'
import { changesBetween } from '../../audit/changes.ts'
import {
  changeAccountAdvertising,
  readAccountAdvertising,
  type AccountAdvertising,
} from '../../trust/advertising/accounts.ts'
import { noSuchAccount } from '../account/view.ts'
import { withDatabase } from '../connect.ts'
import { UsageError } from '../errors.ts'
import type { Invocation } from '../invocation.ts'
import { table, type Result } from '../result.ts'

export interface AdvertisingOptions {
  readonly advertiser?: boolean
  readonly names?: readonly string[]
  readonly optOutNumbers?: readonly string[]
}

const maxItems = 20

export async function setAdvertising(
  invocation: Invocation,
  clientId: string,
  options: AdvertisingOptions,
): Promise<Result> {
  const { advertiser, names, optOutNumbers } = options
  const numbers = optOutNumbers?.map((number) => number.replace(/[\s()-]/g, ''))
  const wrong = numbers?.find((number) => !/^080\d{7,8}$/.test(number))
  if (wrong !== undefined) throw new UsageError(`--opt-out-numbers must be 080 numbers, not '${wrong}'`)
  if (names?.some((name) => name.length > 40))
    throw new UsageError('--names must have at most 40 characters each')
  if ([names, numbers].some((list) => (list?.length ?? 0) > maxItems))
    throw new UsageError(`at most ${maxItems} names and numbers can be registered`)
  const change: Partial<AccountAdvertising> = {
    ...(advertiser === undefined ? {} : { advertiser }),
    ...(names === undefined ? {} : { names }),
    ...(numbers === undefined ? {} : { optOutNumbers: numbers }),
  }
  const found = await withDatabase(invocation, (_database, _config, audit) =>
    audit.change(async (transaction) => {
      const id = await findAccountId(transaction, clientId)
      if (id === null) throw noSuchAccount(clientId)
      const before = await readAccountAdvertising(transaction, id)
      if (Object.keys(change).length === 0) return [before, null]
      audit.requireReason('a change of what advertisements must have')
      const after = await changeAccountAdvertising(transaction, id, change)
      const details = changesBetween(before, after)
      return [after, { target: clientId, account: clientId, details }] as const
    }),
  )
  const list = (items: readonly string[]): string => (items.length === 0 ? 'none' : items.join(', '))
  return {
    json: { clientId, ...found },
    lines: table([
      ['account', clientId],
      ['every text is an advertisement', found.advertiser ? 'yes' : 'no'],
      ['names', list(found.names)],
      ['opt-out numbers', list(found.optOutNumbers)],
    ]),
  }
}
