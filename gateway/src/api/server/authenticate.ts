/** Puts the account of the bearer token onto the request, without reading a database. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Account } from '../../accounts/account.ts'
import type { AccountDirectory } from '../../accounts/directory.ts'
import { Problem } from '../../contract/problem.ts'
import type { TokenKey } from '../tokens/token.ts'

export type Authenticate = (
  request: FastifyRequest,
  reply: FastifyReply,
  done: (error?: Error) => void,
) => void

export function createAuthenticate(accounts: AccountDirectory, key: TokenKey): Authenticate {
  return (request, _reply, done) => {
    try {
      request.account = accountOf(request.headers.authorization, accounts, key)
      done()
    } catch (error) {
      done(error as Error)
    }
  }
}

function accountOf(header: string | undefined, accounts: AccountDirectory, key: TokenKey): Account {
  const match = /^bearer ([A-Za-z0-9_-]{1,200})$/i.exec(header ?? '')
  if (match === null) {
    throw new Problem('A002', 'Invalid token: send Authorization: Bearer <token> from POST /v1/auth/token')
  }
  const verdict = key.verify(match[1]!, new Date())
  if (verdict.kind === 'expired') throw new Problem('A001', 'Expired token')
  if (verdict.kind === 'invalid') throw new Problem('A002', 'Invalid token')
  const account = accounts.value.byId.get(verdict.accountId)
  if (account === undefined || account.tokenEpoch !== verdict.epoch)
    throw new Problem('A002', 'Invalid token: it was revoked')
  if (account.blocked) throw new Problem('A110', 'Blocked account: contact the operator')
  return account
}
