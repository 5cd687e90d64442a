/**
 * POST /v1/send/<channel>. A000 is answered only after the broker has confirmed the message; PostgreSQL is not
 * asked, so sends are accepted while it is away.
 */
import { Type } from 'typebox'
import type { FastifyPluginCallback, FastifyRequest, FastifySchemaValidationError } from 'fastify'
import type { Account } from '../accounts/account.ts'
import type { Channel } from '../channels/channel.ts'
import { channels } from '../channels/registry.ts'
import { invalidField, Problem } from '../platform/problem.ts'
import type { Accept } from './accept.ts'

const Answer = Type.Object({
  code: Type.String(),
  result: Type.String(),
  msgKey: Type.String(),
  ref: Type.Optional(Type.String()),
})

export interface SendRoutesOptions {
  readonly accept: Accept
  readonly accountOf: (request: FastifyRequest) => Account
}

export function sendRoutes(options: SendRoutesOptions): FastifyPluginCallback {
  return (server, _options, done) => {
    for (const channel of Object.values(channels)) {
      server.post(
        `/v1/send/${channel.name}`,
        { schema: { body: channel.schema, response: { 200: Answer } }, attachValidation: true },
        async (request) => {
          if (request.validationError !== undefined)
            throw explain(channel, request.body, request.validationError)
          const draft = channel.draft(request.body)
          const msgKey = await options.accept(options.accountOf(request), channel.name, draft)
          return {
            code: 'A000',
            result: 'Success',
            msgKey,
            ...(draft.ref === undefined ? {} : { ref: draft.ref }),
          }
        },
      )
    }
    done()
  }
}

/** The first wrong field, named by its path, with the code that belongs to it. */
function explain(channel: Channel, body: unknown, failure: Error): Problem {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    return new Problem('A011', 'JSON cannot be mapped: an object is wanted')
  }
  const [error] = (failure as { validation?: FastifySchemaValidationError[] }).validation ?? []
  const params = error?.params as { missingProperty?: string; additionalProperty?: string } | undefined
  if (params?.additionalProperty !== undefined) {
    return new Problem('A300', `Wrong request: unknown field '${params.additionalProperty}'`)
  }
  const field = params?.missingProperty ?? error?.instancePath.slice(1).replaceAll('/', '.') ?? ''
  const code = channel.fieldCodes[field] ?? 'A300'
  if (error?.keyword === 'maxLength' && field === 'text')
    return new Problem('A328', `Text too long: '${field}' ${error.message ?? ''}`)
  return invalidField(code, field, params?.missingProperty === undefined ? error?.message : 'it is missing')
}
