/** `postern account revoke-tokens`. */
import { revokeAllTokens } from '../../acts/credentials.ts'
import { withDatabase } from '../connect.ts'
import type { Invocation } from '../invocation.ts'
import type { Result } from '../result.ts'
import { tokensRevokedResult } from './credential-view.ts'

export async function revokeAccountTokens(invocation: Invocation, clientId: string): Promise<Result> {
  await withDatabase(invocation, (_database, _config, audit) => revokeAllTokens(audit, clientId))
  return tokensRevokedResult(clientId)
}
