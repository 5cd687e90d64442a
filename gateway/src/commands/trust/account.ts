/** `postern trust account`, both ways. */
import { readTrustChange, type TrustChange } from '../../acts/account-trust.ts'
import { asOption } from '../../acts/names.ts'
import type { AccountTrust } from '../../trust/accounts.ts'
import type { AdminClient } from '../client/client.ts'
import { table, type Result } from '../result.ts'

export async function setAccountTrust(
  admin: AdminClient,
  clientId: string,
  options: TrustChange,
): Promise<Result> {
  const change = readTrustChange(options, asOption)
  const params = { clientId }
  if (Object.keys(change).length === 0)
    return describe(clientId, await admin.call('showAccountTrust', { params }))
  const body = { ...change, ...admin.requireReason() }
  return describe(clientId, await admin.call('setAccountTrust', { params, body }))
}

function describe(clientId: string, { kind, sandbox, originCodes }: AccountTrust): Result {
  return {
    json: { clientId, kind, sandbox, originCodes },
    lines: table([
      ['account', clientId],
      ['kind', kind],
      ['sandbox', sandbox ? 'yes' : 'no'],
      ['origin codes', originCodes.length === 0 ? 'none of its own' : originCodes.join(', ')],
    ]),
  }
}
