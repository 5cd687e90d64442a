/**
 * Issues a token for the first password of an account without a login, because hashing is deliberately slow.
 */
import type { TokenKey } from '../../../src/edge/api/tokens/token.ts'
import type { Queryable } from '../../../src/platform/database/database.ts'

export async function issueToken(
  database: Queryable,
  tokenKey: TokenKey,
  accountId: number,
  now = new Date(),
): Promise<string> {
  const { rows } = await database.query<{ id: number }>(
    'select min(id) as id from credentials where account_id = $1',
    [accountId],
  )
  return tokenKey.issue(accountId, 1, now, { credentialId: rows[0]!.id }).token
}
