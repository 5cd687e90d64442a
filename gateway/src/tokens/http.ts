/** POST /v1/auth/token. */
import type { FastifyPluginCallback } from 'fastify'
import { Problem } from '../platform/problem.ts'
import type { FormatTime } from '../platform/times.ts'
import type { TokenIssuer } from './issue.ts'

export interface TokenRoutesOptions {
  readonly issuer: TokenIssuer
  readonly credentialPrefixes: readonly string[]
  readonly formatTime: FormatTime
}

export function tokenRoutes(options: TokenRoutesOptions): FastifyPluginCallback {
  const idHeaders = options.credentialPrefixes.map((prefix) => `x-${prefix}-client-id`.toLowerCase())
  const passwordHeaders = options.credentialPrefixes.map((prefix) =>
    `x-${prefix}-client-passwd`.toLowerCase(),
  )
  return (server, _options, done) => {
    server.post('/v1/auth/token', async (request) => {
      const clientId = firstHeader(request.headers, idHeaders)
      const password = firstHeader(request.headers, passwordHeaders)
      if (clientId === undefined || password === undefined) {
        throw new Problem(
          'A100',
          `Invalid authentication information: headers ${idHeaders[0]} and ${passwordHeaders[0]} are needed`,
        )
      }
      const { token, expiresAt } = await options.issuer.issue(clientId, password, new Date())
      return {
        code: 'A000',
        result: 'Success',
        data: { schema: 'Bearer', expired: options.formatTime(expiresAt), token },
      }
    })
    done()
  }
}

/** Bounded: a header is hashed, so a megabyte of password must not get that far. */
function firstHeader(headers: NodeJS.Dict<string | string[]>, names: readonly string[]): string | undefined {
  for (const name of names) {
    const value = headers[name]
    if (typeof value === 'string' && value !== '' && value.length <= 200) return value
  }
  return undefined
}
