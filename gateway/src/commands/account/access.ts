/** `postern account revoke-tokens`. */
import { revokeTokens } from '../../accounts/queries.ts'
import { withDatabase } from '../connect.ts'
import type { Result } from '../result.ts'
import { noSuchAccount } from './view.ts'

export async function revokeAccountTokens(clientId: string): Promise<Result> {
  if (!(await withDatabase((database) => revokeTokens(database, clientId)))) throw noSuchAccount(clientId)
  return {
    json: { clientId, revoked: true },
    lines: [`${clientId}: all its tokens are revoked; running processes follow within two seconds`],
  }
}
