/** Sets `request.account` from the bearer token and the cached accounts. Throws a Problem for an invalid token. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Account } from '../../accounts/account.ts'
import type { AccountDirectory } from '../../accounts/directory.ts'
import { Problem } from '../../contract/problem.ts'
import { movingProblem } from '../tokens/issue.ts'
import type { TokenKey } from '../tokens/token.ts'
import { clock } from '../../platform/clock.ts'

export type Authenticate = (
  request: FastifyRequest,
  reply: FastifyReply,
  done: (error?: Error) => void,
) => void

export function createAuthenticate(accounts: AccountDirectory, key: TokenKey): Authenticate {
  return (request, _reply, done) => {
    let token: Token
    try {
      token = readToken(request.headers.authorization, key)
    } catch (error) {
      done(error as Error)
      return
    }
    const finish = (): void => {
      try {
        request.account = accountOf(token, accounts)
      } catch (error) {
        done(error as Error)
        return
      }
      done()
    }
    if (accounts.value.byId.has(token.accountId)) finish()
    // Another process may have issued it for an account that is newer than this process's copy.
    else void accounts.refreshEarly().then(finish)
  }
}

interface Token {
  readonly accountId: number
  readonly epoch: number
}

function readToken(header: string | undefined, key: TokenKey): Token {
  const match = /^bearer ([A-Za-z0-9_-]{1,200})$/i.exec(header ?? '')
  if (match === null) {
    throw new Problem('A002', 'Invalid token: send Authorization: Bearer <token> from POST /v1/auth/token')
  }
  const decision = key.verify(match[1]!, clock.date())
  if (decision.kind === 'expired') throw new Problem('A001', 'Expired token')
  if (decision.kind === 'other-cell')
    throw new Problem(
      'A002',
      `Invalid token: it belongs to cell ${decision.cell}; request a new token with POST /v1/auth/token`,
    )
  if (decision.kind === 'invalid') throw new Problem('A002', 'Invalid token')
  return decision
}

function accountOf({ accountId, epoch }: Token, accounts: AccountDirectory): Account {
  const account = accounts.value.byId.get(accountId)
  if (account === undefined || account.tokenEpoch !== epoch)
    throw new Problem('A002', 'Invalid token: it was revoked')
  if (account.servedBy !== null)
    throw new Problem(
      'A001',
      `Expired token: the account has moved to cell ${account.servedBy}; request a new token with POST /v1/auth/token`,
    )
  if (account.moving) throw movingProblem()
  if (account.blocked) throw new Problem('A110', 'Blocked account: contact the operator')
  return account
}
