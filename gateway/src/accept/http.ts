/**
 * POST /v1/send/<channel> and /v1/send/omni. A000 is answered only after the broker has confirmed the message;
 * PostgreSQL is not asked, so sends are accepted while it is away.
 */
import { Type } from 'typebox'
import type { FastifyPluginCallback, FastifyRequest } from 'fastify'
import type { Account } from '../accounts/account.ts'
import type { Draft } from '../channels/channel.ts'
import { channels } from '../channels/registry.ts'
import type { FormLookup } from '../forms/lookup.ts'
import { BrokerUnavailable } from '../platform/broker/publish.ts'
import { Problem } from '../platform/problem.ts'
import type { Accept } from './accept.ts'
import type { CheckFiles, PlaceOf } from './files.ts'
import { draftOmni, readOmni, type DestinationDraft } from './omni.ts'
import { tolerate } from './quirks.ts'
import { createShape } from './shape.ts'

const text = Type.String()
const Answer = Type.Object({ code: text, result: text, msgKey: text, ref: Type.Optional(text) })
const OmniAnswer = Type.Object({
  code: text,
  result: text,
  data: Type.Object({
    destinations: Type.Array(Type.Object({ to: text, msgKey: text, code: text, result: text })),
  }),
  ref: Type.Optional(text),
})

/** The second step of a simple send is its fallback. */
const simplePlace: PlaceOf = (_step, index) => (index === 0 ? '' : 'fallback.')

export interface SendRoutesOptions {
  readonly accept: Accept
  readonly checkFiles: CheckFiles
  readonly forms: FormLookup
  readonly accountOf: (request: FastifyRequest) => Account
}

export function sendRoutes({
  accept,
  checkFiles,
  forms,
  accountOf,
}: SendRoutesOptions): FastifyPluginCallback {
  async function acceptDraft(account: Account, draft: Draft, placeOf: PlaceOf): Promise<string> {
    await checkFiles(account.id, draft.steps, placeOf)
    return accept(account, draft.steps[0]!.channel, draft)
  }

  async function acceptOne(account: Account, destination: DestinationDraft, placeOf: PlaceOf) {
    const { to } = destination
    try {
      if ('problem' in destination) throw destination.problem
      return {
        to,
        msgKey: await acceptDraft(account, destination.draft, placeOf),
        code: 'A000',
        result: 'Success',
      }
    } catch (error) {
      if (error instanceof Problem) return { to, msgKey: '', code: error.code, result: error.message }
      // Others of the request may be accepted already: to refuse it whole would have them sent again.
      if (error instanceof BrokerUnavailable) {
        return { to, msgKey: '', code: 'A920', result: 'Service busy: not accepted, send it again' }
      }
      throw error
    }
  }

  return (server, _options, done) => {
    for (const channel of Object.values(channels)) {
      const shape = createShape(channel.schema, channel.fieldCodes)
      server.post(`/v1/send/${channel.name}`, { schema: { response: { 200: Answer } } }, async (request) => {
        const body = tolerate(channel.name, request.body)
        shape.check(body)
        const draft = channel.draft(body)
        const msgKey = await acceptDraft(accountOf(request), draft, simplePlace)
        return {
          code: 'A000',
          result: 'Success',
          msgKey,
          ...(draft.ref === undefined ? {} : { ref: draft.ref }),
        }
      })
    }
    server.post('/v1/send/omni', { schema: { response: { 200: OmniAnswer } } }, async (request) => {
      const account = accountOf(request)
      const body = readOmni(tolerate('omni', request.body))
      const formId = body.messageForm
      const form = formId === undefined ? undefined : (await forms.find(account.id, formId)).flow
      const { destinations, ref } = draftOmni(body, form)
      const field = formId === undefined ? 'messageFlow' : 'messageForm'
      const placeOf: PlaceOf = (step, index) => `${field}[${index}].${step.channel}.`
      const results = await Promise.all(
        destinations.map((destination) => acceptOne(account, destination, placeOf)),
      )
      if (results.every(({ code }) => code === 'A920'))
        throw new BrokerUnavailable('no destination was accepted')
      return {
        code: 'A000',
        result: 'Success',
        data: { destinations: results },
        ...(ref === undefined ? {} : { ref }),
      }
    })
    done()
  }
}
