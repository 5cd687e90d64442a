/** `postern trust advertising`, both ways. */
import {
  changeAdvertising,
  readAdvertisingChange,
  showAdvertising,
  type AdvertisingChange,
} from '../../acts/account-trust.ts'
import { asOption } from '../../acts/names.ts'
import type { AccountAdvertising } from '../../trust/advertising/accounts.ts'
import { withDatabase } from '../connect.ts'
import type { Invocation } from '../invocation.ts'
import type { AdminClient } from '../remote/client.ts'
import { table, type Result } from '../result.ts'

export async function setAdvertising(
  invocation: Invocation,
  clientId: string,
  options: AdvertisingChange,
): Promise<Result> {
  const change = readAdvertisingChange(options, asOption)
  return withDatabase(invocation, async (database, _config, audit) => {
    if (Object.keys(change).length === 0) {
      audit.unchanged()
      return describe(clientId, await showAdvertising(database, clientId))
    }
    await audit.requireRight('trust')
    return describe(clientId, await changeAdvertising(audit, clientId, change))
  })
}

export async function setAdvertisingRemote(
  admin: AdminClient,
  clientId: string,
  options: AdvertisingChange,
): Promise<Result> {
  const change = readAdvertisingChange(options, asOption)
  const params = { clientId }
  if (Object.keys(change).length === 0)
    return describe(clientId, await admin.call('showAccountAdvertising', { params }))
  const body = { ...change, ...admin.requireReason() }
  return describe(clientId, await admin.call('setAccountAdvertising', { params, body }))
}

function describe(clientId: string, { advertiser, names, optOutNumbers }: AccountAdvertising): Result {
  const list = (items: readonly string[]): string => (items.length === 0 ? 'none' : items.join(', '))
  return {
    json: { clientId, advertiser, names, optOutNumbers },
    lines: table([
      ['account', clientId],
      ['every text is an advertisement', advertiser ? 'yes' : 'no'],
      ['names', list(names)],
      ['opt-out numbers', list(optOutNumbers)],
    ]),
  }
}
