/** GET /v1/usage: counts of the account's closed messages. Not part of the contract. */
import { requireAccount } from '../../identity/accounts/request-account.ts'
import { Type } from 'typebox'
import type { FastifyPluginCallback } from 'fastify'
import { responseSchema } from '../../contract/response.ts'
import { clock } from '../../platform/time/clock.ts'
import type { Database } from '../../platform/database/database.ts'
import { toCsv } from './csv.ts'
import { readUsage } from './queries.ts'
import { encodeUsageCursor, readUsageQuery } from './query.ts'

export const Usage = Type.Object(
  {
    day: Type.Optional(Type.String({ format: 'date', description: 'In the time zone of all times here' })),
    channel: Type.Optional(Type.String({ description: 'sms, mms, international, rcs, alimtalk and so on' })),
    carrier: Type.Optional(Type.String({ description: 'Mobile carrier, as in reports' })),
    outcome: Type.Optional(
      Type.String({
        description: 'delivered, failed, expired, unknown (the carrier never said) or cancelled',
      }),
    ),
    paymentCode: Type.Optional(
      Type.String({ description: 'paymentCode of the send; empty when it had none' }),
    ),
    messages: Type.Integer({ description: 'Messages whose last step this was' }),
    steps: Type.Integer({ description: 'Steps tried, which is the number of reports' }),
    parts: Type.Integer({ description: 'Parts of those steps' }),
  },
  { additionalProperties: false, description: 'Counts of one combination of the groupings in `by`' },
)
export const UsageResponse = responseSchema(
  {
    usage: Type.Array(Usage, { description: 'Sorted by the groupings in `by`' }),
    next: Type.Optional(
      Type.String({
        description: 'There are more rows: the value of `after` for the request that returns them',
      }),
    ),
  },
  'Closed messages among those accepted on these days',
)

export function usageRoutes({
  database,
  timeZone,
}: {
  readonly database: Database
  readonly timeZone: string
}): FastifyPluginCallback {
  return (server, _options, done) => {
    server.get(
      '/v1/usage',
      { schema: { response: { 200: { content: { 'application/json': { schema: UsageResponse } } } } } },
      async (request, reply) => {
        const { id } = requireAccount(request)
        const { from, to, by, page } = readUsageQuery(request.query, timeZone, clock.date())
        const { limit } = page
        const rows = await readUsage(database, id, from, to, by, timeZone, { ...page, limit: limit + 1 })
        const usage = rows.slice(0, limit)
        const next = rows.length > limit ? encodeUsageCursor(usage.at(-1)!, by) : null
        if ((request.headers.accept ?? '').includes('text/csv')) {
          return reply
            .headers(next === null ? {} : { 'x-next': next })
            .type('text/csv; charset=utf-8')
            .send(toCsv([...by, 'messages', 'steps', 'parts'], usage))
        }
        return reply
          .type('application/json')
          .send({ code: 'A000', result: 'Success', data: { usage, ...(next === null ? {} : { next }) } })
      },
    )
    done()
  }
}
