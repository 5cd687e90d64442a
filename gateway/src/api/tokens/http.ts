/** POST /v1/auth/token. */
import { Type } from 'typebox'
import type { FastifyPluginCallback } from 'fastify'
import { answerWith } from '../../contract/answer.ts'
import { Problem } from '../../contract/problem.ts'
import type { FormatTime } from '../../contract/times.ts'
import { clientAddress } from './address.ts'
import type { TokenIssuer } from './issue.ts'

export const TokenAnswer = answerWith(
  {
    schema: Type.String({ description: 'Word to put before the token in Authorization: Bearer' }),
    expired: Type.String({ description: "When it ends, 24 hours on: yyyy-MM-dd'T'HH:mm:ssXXX" }),
    token: Type.String({ description: 'Access token; its content means nothing to a client' }),
  },
  'The token and its end',
)

export interface TokenRoutesOptions {
  readonly issuer: TokenIssuer
  readonly credentialPrefixes: readonly string[]
  readonly formatTime: FormatTime
  /** Proxies of ours before the API; none by default. */
  readonly proxyHops?: number
}

export function tokenRoutes(options: TokenRoutesOptions): FastifyPluginCallback {
  const idHeaders = options.credentialPrefixes.map((prefix) => `x-${prefix}-client-id`.toLowerCase())
  const passwordHeaders = options.credentialPrefixes.map((prefix) =>
    `x-${prefix}-client-passwd`.toLowerCase(),
  )
  return (server, _options, done) => {
    server.post('/v1/auth/token', { schema: { response: { 200: TokenAnswer } } }, async (request) => {
      const clientId = firstHeader(request.headers, idHeaders)
      const password = firstHeader(request.headers, passwordHeaders)
      if (clientId === undefined || password === undefined) {
        throw new Problem(
          'A100',
          `Invalid authentication information: headers ${idHeaders[0]} and ${passwordHeaders[0]} are needed`,
        )
      }
      const requester = { clientId, address: clientAddress(request, options.proxyHops ?? 0) }
      const { token, expiresAt } = await options.issuer.issue(requester, password, new Date())
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
