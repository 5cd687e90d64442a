/** `postern account revoke-tokens`. */
import { revokeTokens } from '../../accounts/queries.ts'
import type { Invocation } from '../invocation.ts'
import type { Result } from '../result.ts'
import { changeAccount } from './credential-context.ts'

export async function revokeAccountTokens(invocation: Invocation, clientId: string): Promise<Result> {
  await changeAccount(invocation, clientId, async ({ transaction }) => {
    await revokeTokens(transaction, clientId)
    return [null, { target: clientId }]
  })
  return {
    json: { clientId, revoked: true },
    lines: [`${clientId}: all its tokens are revoked; running processes follow within two seconds`],
  }
}
