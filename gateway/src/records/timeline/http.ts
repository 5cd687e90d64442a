/** GET /v1/message/{msgKey}: the story of one's own message. Ours, beyond the contract. */
import { requireAccount } from '../../accounts/request-account.ts'
import { Type } from 'typebox'
import type { FastifyPluginCallback } from 'fastify'
import { answerWith } from '../../contract/answer.ts'
import type { Database } from '../../platform/database.ts'
import { isMsgKey } from '../../contract/msg-key.ts'
import { Problem } from '../../contract/problem.ts'
import type { FormatTime } from '../../contract/times.ts'
import { describeForClient } from './client.ts'
import { readLanguage } from './language.ts'
import { readTimeline } from './rows.ts'

const code = Type.String({ description: 'Report code' })
export const MessageOutcome = Type.Object(
  {
    code,
    text: Type.String({ description: 'What the code means' }),
    cause: Type.String({ description: 'What is probably behind it' }),
    action: Type.String({ description: 'What to do next' }),
  },
  { additionalProperties: false, description: 'How the message ended, explained' },
)
export const MessageStep = Type.Object(
  {
    step: Type.Integer({ description: 'Its place in the flow, from 1' }),
    serviceType: Type.String({ description: 'As in reports' }),
    state: Type.String({
      enum: ['to come', 'under way', 'ended'],
      description: 'A step to come is sent when those before it fail',
    }),
    code: Type.Optional(code),
    text: Type.Optional(Type.String({ description: 'What the code means' })),
  },
  { additionalProperties: false, description: 'One step of the flow' },
)
export const MessageEvent = Type.Object(
  {
    at: Type.String({ description: "When: yyyy-MM-dd'T'HH:mm:ssXXX" }),
    step: Type.Optional(Type.Integer({ description: 'Of which step; absent for the message as a whole' })),
    kind: Type.String({
      description: 'accepted, held, submitted, receipt, deadline, fallback, open or closed',
    }),
    text: Type.String({ description: 'The same in words' }),
    carrierCode: Type.Optional(Type.String({ description: "The carrier's own code, for its support" })),
  },
  { additionalProperties: false, description: 'Something that happened to the message' },
)
export const MessageAnswer = answerWith(
  {
    msgKey: Type.String({ description: 'Of the message' }),
    to: Type.String({ description: 'Its recipient; empty once erased' }),
    state: Type.String({ enum: ['open', 'closed'], description: 'closed: its outcome is final' }),
    outcome: Type.Optional(MessageOutcome),
    action: Type.String({ description: 'What to do next' }),
    steps: Type.Array(MessageStep, { description: 'Every step of its flow' }),
    events: Type.Array(MessageEvent, { description: 'What happened, in order' }),
  },
  'The story of the message; its text is not part of it',
)

export interface TimelineRoutesOptions {
  readonly database: Database
  readonly formatTime: FormatTime
}

export function timelineRoutes({ database, formatTime }: TimelineRoutesOptions): FastifyPluginCallback {
  return (server, _options, done) => {
    server.get<{ Params: { msgKey: string } }>(
      '/v1/message/:msgKey',
      { schema: { response: { 200: MessageAnswer } } },
      async (request, reply) => {
        const { msgKey } = request.params
        const language = readLanguage(request.headers['accept-language'])
        const rows = isMsgKey(msgKey) ? await readTimeline(database, msgKey) : null
        // Another account's message is as unknown as one that never was.
        const own = rows?.message?.accountId === requireAccount(request).id ? rows : null
        const story = own === null ? null : describeForClient(own, { language, formatTime, now: new Date() })
        if (story === null) {
          throw new Problem('A331', 'Unknown message: check the msgKey; one just sent may take a moment')
        }
        void reply.header('content-language', language).header('vary', 'accept-language')
        return { code: 'A000', result: 'Success', data: story }
      },
    )
    done()
  }
}
