/** `postern account revoke-tokens`. */
import { revokeTokens } from '../../accounts/queries.ts'
import type { Result } from '../result.ts'
import { withAccount } from './credential-context.ts'

export async function revokeAccountTokens(clientId: string): Promise<Result> {
  await withAccount(clientId, ({ transaction }) => revokeTokens(transaction, clientId))
  return {
    json: { clientId, revoked: true },
    lines: [`${clientId}: all its tokens are revoked; running processes follow within two seconds`],
  }
}
