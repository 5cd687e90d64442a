/** Accounts by the client id that an operator gives. */
import { findAccountId } from '../accounts/queries.ts'
import type { Queryable } from '../platform/database.ts'
import { NotFoundError } from './errors.ts'

/** For acts that only read: also of an account that this cell does not serve. */
export async function requireAccountId(database: Queryable, clientId: string): Promise<number> {
  const id = await findAccountId(database, clientId)
  if (id === null) throw noSuchAccount(clientId)
  return id
}

export function noSuchAccount(clientId: string): NotFoundError {
  return new NotFoundError(`there is no account '${clientId}'; \`postern account list\` lists them`)
}
