/** The account and credential of a request, set by `edge/api/server/authenticate.ts`. */
import type { FastifyRequest } from 'fastify'
import type { Account } from './account.ts'
import type { Credential } from './credential.ts'

declare module 'fastify' {
  interface FastifyRequest {
    account: Account | null
    credential: Credential | null
  }
}

/** Returns the account of an authenticated request. */
export function requireAccount(request: FastifyRequest): Account {
  if (request.account === null) throw new Error('the handler was registered without authentication')
  return request.account
}
