/** The account and the credential of a request: set by `api/server/authenticate.ts`, read by every handler behind it. */
import type { FastifyRequest } from 'fastify'
import type { Account } from './account.ts'
import type { Credential } from './credential.ts'

declare module 'fastify' {
  interface FastifyRequest {
    account: Account | null
    credential: Credential | null
  }
}

/** For handlers behind `authenticate`. */
export function requireAccount(request: FastifyRequest): Account {
  if (request.account === null) throw new Error('the handler was registered without authentication')
  return request.account
}
