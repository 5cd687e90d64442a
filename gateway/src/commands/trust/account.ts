/** `postern trust account`, both ways. */
import { changeTrust, readTrustChange, showTrust, type TrustChange } from '../../acts/account-trust.ts'
import { asOption } from '../../acts/names.ts'
import { originFormOf } from '../../channels/origin-form.ts'
import type { AccountTrust } from '../../trust/accounts.ts'
import { withDatabase } from '../connect.ts'
import type { Invocation } from '../invocation.ts'
import type { AdminClient } from '../remote/client.ts'
import { table, type Result } from '../result.ts'

export async function setAccountTrust(
  invocation: Invocation<'originPattern'>,
  clientId: string,
  options: TrustChange,
): Promise<Result> {
  const change = readTrustChange(options, asOption, originFormOf(invocation.loadSettings()))
  return withDatabase(invocation, async (database, _config, audit) => {
    if (Object.keys(change).length === 0) {
      audit.unchanged()
      return describe(clientId, await showTrust(database, clientId))
    }
    await audit.requireRight('trust')
    return describe(clientId, await changeTrust(audit, clientId, change))
  })
}

export async function setAccountTrustRemote(
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
