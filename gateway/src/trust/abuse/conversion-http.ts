/** POST /v1/conversion: reports one-time codes that were used, for the rule low-conversion. */
import { Type, type Static } from 'typebox'
import type { FastifyPluginCallback, FastifyRequest } from 'fastify'
import { requireAccount } from '../../identity/accounts/request-account.ts'
import type { Step } from '../../channels/channel.ts'
import { isOneTimeCode } from '../../channels/one-time-code.ts'
import { responseSchema } from '../../contract/response.ts'
import { invalidField, Problem } from '../../contract/problem.ts'
import { clock } from '../../platform/time/clock.ts'
import type { Database } from '../../platform/database/database.ts'
import { addConversions, findRegion, toUtcDate } from './conversions.ts'

export const maxConversions = 100
const maxKeyLength = 64
export const conversionBodyBytes = 8 * 1024

export const ConversionRequest = Type.Object(
  {
    msgKey: Type.Array(Type.String({ maxLength: maxKeyLength }), {
      minItems: 1,
      maxItems: maxConversions,
      description: `Messages whose code was used; at most ${maxConversions}`,
    }),
  },
  { additionalProperties: false },
)

export const ConversionResponse = responseSchema(
  {
    counted: Type.Integer({
      description:
        'How many were counted: codes of the account that were not reported before. Messages that are not recorded yet, or without a code, are not',
    }),
  },
  'What was counted',
)

export interface ConversionMessage {
  readonly msgKey: string
  readonly to: string
  readonly steps: readonly Step[]
}

export interface ConversionRoutesOptions {
  readonly database: Database
  /** Returns the messages that belong to the account. */
  readonly findContents: (
    accountId: number,
    msgKeys: readonly string[],
  ) => Promise<readonly ConversionMessage[]>
}

export function conversionRoutes({ database, findContents }: ConversionRoutesOptions): FastifyPluginCallback {
  async function report(request: FastifyRequest): Promise<Static<typeof ConversionResponse>> {
    const keys = readKeys(request.body)
    const { id } = requireAccount(request)
    const found = await findContents(id, [...new Set(keys)])
    const codes = found.filter(({ steps }) => steps.some(isOneTimeCode))
    const rows = codes.map(({ msgKey, to }) => ({ msgKey, country: findRegion(to) }))
    const counted = await addConversions(database, id, rows, toUtcDate(clock.now()))
    return { code: 'A000', result: 'Success', data: { counted } }
  }

  return (server, _options, done) => {
    const settings = { bodyLimit: conversionBodyBytes, schema: { response: { 200: ConversionResponse } } }
    server.post('/v1/conversion', settings, report)
    done()
  }
}

function readKeys(body: unknown): readonly string[] {
  const fields = (typeof body === 'object' && body !== null ? body : {}) as Record<string, unknown>
  const unknown = Object.keys(fields).find((name) => name !== 'msgKey')
  if (unknown !== undefined)
    throw new Problem('A300', `Wrong request: unknown field '${unknown.slice(0, 100)}'`)
  const { msgKey } = fields
  const isKey = (key: unknown): key is string => typeof key === 'string' && /^[0-9A-Z]{1,64}$/i.test(key)
  if (Array.isArray(msgKey) && msgKey.length >= 1 && msgKey.length <= maxConversions && msgKey.every(isKey))
    return msgKey
  throw invalidField('A300', 'msgKey', `must be an array of 1 to ${maxConversions} message keys`)
}
