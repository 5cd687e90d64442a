/** GET /v1/message/{msgKey}: the timeline of a message for its own client. Not part of the contract. */
import { requireAccount } from '../../identity/accounts/request-account.ts'
import { Type } from 'typebox'
import type { FastifyPluginCallback } from 'fastify'
import { responseSchema, timeField } from '../../contract/response.ts'
import { clock } from '../../platform/time/clock.ts'
import type { Database } from '../../platform/database/database.ts'
import type { Language } from '../../channels/report-meaning.ts'
import { parseKeyCell, isMsgKey } from '../../contract/msg-key.ts'
import { Problem } from '../../contract/problem.ts'
import type { FormatTime } from '../../contract/times.ts'
import { reportCodeField } from '../reports/report-record.ts'
import { describeForClient } from './client.ts'
import { readTimeline } from './rows.ts'

const code = reportCodeField('Result of the step')
export const MessageOutcome = Type.Object(
  {
    code,
    text: Type.String({ description: 'What the code means' }),
    cause: Type.String({ description: 'The usual cause' }),
    action: Type.String({ description: 'What to do next' }),
  },
  { additionalProperties: false, description: 'How the message ended, with an explanation' },
)
export const MessageStep = Type.Object(
  {
    step: Type.Integer({ description: 'Position in the flow, from 1' }),
    serviceType: Type.String({ description: 'As in reports' }),
    state: Type.String({
      enum: ['to come', 'under way', 'ended'],
      description: 'A step to come is sent only when the steps before it fail',
    }),
    code: Type.Optional(code),
    text: Type.Optional(Type.String({ description: 'What the code means' })),
  },
  { additionalProperties: false, description: 'One step of the flow' },
)
export const MessageEvent = Type.Object(
  {
    at: timeField('When it happened'),
    step: Type.Optional(
      Type.Integer({ description: 'Number of the step; absent for the message as a whole' }),
    ),
    kind: Type.String({
      description: 'accepted, held, submitted, receipt, deadline, fallback, open or closed',
    }),
    text: Type.String({ description: 'The event in words' }),
    carrierCode: Type.Optional(
      Type.String({ description: "The carrier's own code, which its support asks for" }),
    ),
  },
  { additionalProperties: false, description: 'One event in the life of the message' },
)
export const TimelineResponse = responseSchema(
  {
    msgKey: Type.String({ description: 'Key of the message' }),
    to: Type.String({ description: 'Recipient; empty once erased' }),
    state: Type.Enum(['open', 'closed'], { description: 'closed: its outcome is final' }),
    outcome: Type.Optional(MessageOutcome),
    action: Type.String({ description: 'What to do next' }),
    steps: Type.Array(MessageStep, { description: 'Every step of the flow' }),
    events: Type.Array(MessageEvent, { description: 'What happened, in order' }),
  },
  'The timeline of the message, without its text',
)

export interface TimelineRoutesOptions {
  readonly database: Database
  readonly cell: string
  readonly formatTime: FormatTime
}

export function timelineRoutes({ database, cell, formatTime }: TimelineRoutesOptions): FastifyPluginCallback {
  return (server, _options, done) => {
    server.get<{ Params: { msgKey: string } }>(
      '/v1/message/:msgKey',
      { schema: { response: { 200: TimelineResponse } } },
      async (request, reply) => {
        const { msgKey } = request.params
        const language = readLanguage(request.headers['accept-language'])
        const rows = isMsgKey(msgKey) ? await readTimeline(database, msgKey) : null
        // The response for a message of another account is the same as for one that does not exist.
        const ofAccount = rows?.message?.accountId === requireAccount(request).id ? rows : null
        const timeline =
          ofAccount === null
            ? null
            : describeForClient(ofAccount, { language, formatTime, now: clock.date() })
        if (timeline === null) {
          throw new Problem(
            'A331',
            isMsgKey(msgKey) && parseKeyCell(msgKey) !== cell
              ? `Unknown message: cell ${parseKeyCell(msgKey)} accepted it and keeps its timeline; GET /v1/report/inquiry/{msgKey} returns its reports`
              : 'Unknown message: check the msgKey; a message sent within the last second might not be recorded yet',
          )
        }
        void reply.header('content-language', language).header('vary', 'accept-language')
        return { code: 'A000', result: 'Success', data: timeline }
      },
    )
    done()
  }
}

/** Returns English unless `Accept-Language` ranks Korean higher. */
export function readLanguage(header: string | undefined): Language {
  const ranks = (header ?? '').split(',').map((range) => {
    const [tag = '', ...parameters] = range
      .toLowerCase()
      .split(';')
      .map((item) => item.trim())
    const quality = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2)
    return { language: tag.split('-')[0]!, rank: quality === undefined ? 1 : Number(quality) || 0 }
  })
  const rankOf = (language: Language): number =>
    Math.max(0, ...ranks.filter((range) => range.language === language).map(({ rank }) => rank))
  return rankOf('ko') > rankOf('en') ? 'ko' : 'en'
}
