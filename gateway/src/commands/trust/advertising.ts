/** `postern trust advertising`, both ways. */
import { readAdvertisingChange, type AdvertisingChange } from '../../acts/account-trust.ts'
import { asOption } from '../../acts/names.ts'
import type { AccountAdvertising } from '../../trust/advertising/accounts.ts'
import type { AdminClient } from '../client/client.ts'
import { table, type Result } from '../result.ts'

export async function setAdvertising(
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
