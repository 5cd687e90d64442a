import { Type } from 'typebox'
import type { FastifyPluginCallback } from 'fastify'
import { responseSchema, timeField } from '../../../contract/response.ts'
import { Problem } from '../../../contract/problem.ts'
import type { FormatTime } from '../../../contract/times.ts'
import type { Metrics } from '../../../platform/metrics.ts'
import { clientAddress } from './address.ts'
import type { TokenIssuer } from './issue.ts'
import { clock } from '../../../platform/time/clock.ts'

export const TokenResponse = responseSchema(
  {
    schema: Type.String({
      description: 'Scheme to put before the token in the Authorization header: Bearer',
    }),
    expired: timeField('When the token expires, after 24 hours'),
    token: Type.String({ description: 'Access token; an opaque string' }),
  },
  'The token and its expiry',
)

export interface TokenRoutesOptions {
  readonly issuer: TokenIssuer
  readonly credentialPrefixes: readonly string[]
  readonly formatTime: FormatTime
  readonly metrics: Pick<Metrics, 'tokenRequests'>
  /** Number of the operator's proxies in front of the API; 0 by default. */
  readonly proxyHops?: number
}

const maxIgnoredBytes = 16 * 1024

export function tokenRoutes(options: TokenRoutesOptions): FastifyPluginCallback {
  const idHeaders = options.credentialPrefixes.map((prefix) => `x-${prefix}-client-id`.toLowerCase())
  const passwordHeaders = options.credentialPrefixes.map((prefix) =>
    `x-${prefix}-client-passwd`.toLowerCase(),
  )
  return (server, _options, done) => {
    // The request needs no body, but HTTP libraries send an empty one or `null`, with various content types.
    server.removeAllContentTypeParsers()
    server.addContentTypeParser(
      '*',
      { parseAs: 'buffer', bodyLimit: maxIgnoredBytes },
      (_request, _body, parsed) => parsed(null),
    )
    server.post('/v1/auth/token', { schema: { response: { 200: TokenResponse } } }, async (request) => {
      const clientId = firstHeader(request.headers, idHeaders)
      const password = firstHeader(request.headers, passwordHeaders)
      if (clientId === undefined || password === undefined) {
        throw new Problem(
          'A100',
          `Invalid authentication information: headers ${idHeaders[0]} and ${passwordHeaders[0]} are required`,
        )
      }
      const requester = { clientId, address: clientAddress(request, options.proxyHops ?? 0) }
      const { token, expiresAt } = await options.issuer
        .issue(requester, password, clock.date())
        .catch((error: unknown) => {
          if (error instanceof Problem) options.metrics.tokenRequests.inc({ code: error.code })
          throw error
        })
      options.metrics.tokenRequests.inc({ code: 'A000' })
      return {
        code: 'A000',
        result: 'Success',
        data: { schema: 'Bearer', expired: options.formatTime(expiresAt), token },
      }
    })
    done()
  }
}

/**
 * Returns the value of the first of the headers that has one. Values longer than 200 characters are ignored: the
 * password is hashed, and a long one must not get that far.
 */
function firstHeader(headers: NodeJS.Dict<string | string[]>, names: readonly string[]): string | undefined {
  for (const name of names) {
    const value = headers[name]
    if (typeof value === 'string' && value !== '' && value.length <= 200) return value
  }
  return undefined
}
