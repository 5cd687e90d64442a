/** Issues a token for the first password of an account, without a login: hashing is slow on purpose. */
import type { TokenKey } from '../../src/api/tokens/token.ts'
import type { Queryable } from '../../src/platform/database.ts'

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
