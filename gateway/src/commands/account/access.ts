/** `postern account block`, `unblock` and `revoke-tokens`. */
import { revokeTokens, setBlocked } from '../../accounts/queries.ts'
import { withDatabase } from '../connect.ts'
import type { Result } from '../result.ts'
import { noSuchAccount } from './view.ts'

export async function blockAccount(clientId: string, blocked: boolean): Promise<Result> {
  if (!(await withDatabase((database) => setBlocked(database, clientId, blocked))))
    throw noSuchAccount(clientId)
  return { json: { clientId, blocked }, lines: [following(clientId, blocked ? 'blocked' : 'unblocked')] }
}

export async function revokeAccountTokens(clientId: string): Promise<Result> {
  if (!(await withDatabase((database) => revokeTokens(database, clientId)))) throw noSuchAccount(clientId)
  return { json: { clientId, revoked: true }, lines: [following(clientId, 'all its tokens are revoked')] }
}

function following(clientId: string, change: string): string {
  return `${clientId}: ${change}; running processes follow within two seconds`
}
