/**
 * POST /v1/send/<channel> and /v1/send/omni. A000 is answered only after the broker has confirmed the message.
 * PostgreSQL is not queried for a plain send, so sends are accepted while it is unavailable.
 */
import { requireAccount } from '../../accounts/request-account.ts'
import type { FastifyPluginCallback, FastifyRequest } from 'fastify'
import type { Account } from '../../accounts/account.ts'
import type { Draft } from '../../channels/channel.ts'
import { requireValid } from '../../channels/issues.ts'
import { channels } from '../../channels/registry.ts'
import { readTtl } from '../../channels/ttl.ts'
import { BrokerUnavailable } from '../../platform/broker/publish.ts'
import { Problem } from '../../contract/problem.ts'
import { OmniAnswer, SendAnswer } from './answers.ts'
import { answerDryRun, createDryRun, wantsDryRun, type DryRunOptions } from './dry-run.ts'
import type { PlaceOf } from './check-steps.ts'
import { draftOmni, readOmni, type DestinationDraft } from './omni.ts'
import { normalizeSdkBody } from './sdk-compat.ts'
import { isTransient } from '../../platform/transient.ts'
import { readSendAt } from './send-at.ts'
import { bodyShapes, withSendAt, type Send } from './send.ts'

/** Of one destination, while others of the request are accepted. Repeated under its key, the request gets the same answer. */
const notAccepted = 'Service busy: not accepted; send this destination again'
const perhapsAccepted =
  'Service busy: perhaps accepted; repeat the request with the same Idempotency-Key, without one it may be sent twice'

export interface SendRoutesOptions extends DryRunOptions {
  readonly send: Send
  /** The msgKey reserved for the nth message of the request, if any. */
  readonly reservedKey?: (request: FastifyRequest, index: number) => string | undefined
}

/** What a message of a request takes from it beside its body. */
interface Origin {
  readonly reserved: string | undefined
  readonly caller: string | undefined
}

/** The context of the client's own trace. */
const callerOf = ({ headers }: FastifyRequest): string | undefined =>
  headers['traceparent'] as string | undefined

export function sendRoutes(options: SendRoutesOptions): FastifyPluginCallback {
  const { send, forms, reservedKey = () => undefined } = options
  const dryRun = createDryRun(options)

  async function acceptOne(
    account: Account,
    destination: DestinationDraft,
    placeOf: PlaceOf,
    { reserved, caller }: Origin,
  ) {
    const { to } = destination
    try {
      if ('problem' in destination) throw destination.problem
      return {
        to,
        msgKey: await send.acceptDraft(account, destination.draft, placeOf, reserved, caller),
        code: 'A000',
        result: 'Success',
      }
    } catch (error) {
      if (error instanceof Problem) return { to, msgKey: '', code: error.code, result: error.message }
      // Other destinations may be accepted already: failing the whole request would make the client send them again.
      if (error instanceof BrokerUnavailable) {
        return { to, msgKey: '', code: 'A920', result: error.maybePublished ? perhapsAccepted : notAccepted }
      }
      if (isTransient(error)) return { to, msgKey: '', code: 'A920', result: notAccepted }
      throw error
    }
  }

  return (server, _options, done) => {
    for (const channel of Object.values(channels)) {
      const shape = bodyShapes[channel.name]
      server.post(
        `/v1/send/${channel.name}`,
        { schema: { response: { 200: SendAnswer } } },
        async (request, reply) => {
          const times = { sendAt: readSendAt(request), ttlSeconds: readTtlQuery(request) }
          const body = normalizeSdkBody(channel.name, request.body)
          if (wantsDryRun(request)) {
            return answerDryRun(
              reply,
              await dryRun.simple(requireAccount(request), channel, shape, body, times),
            )
          }
          const { msgKey, draft } = await send.simple(requireAccount(request), channel.name, body, {
            ...times,
            reservedKey: reservedKey(request, 0),
            caller: callerOf(request),
          })
          return { code: 'A000', result: 'Success', msgKey, ref: draft.ref }
        },
      )
    }
    server.post('/v1/send/omni', { schema: { response: { 200: OmniAnswer } } }, async (request, reply) => {
      const account = requireAccount(request)
      const sendAt = readSendAt(request)
      const candidate = normalizeSdkBody('omni', request.body)
      if (wantsDryRun(request)) return answerDryRun(reply, await dryRun.omni(account, candidate, sendAt))
      const body = requireValid((issues) => readOmni(candidate, issues))
      const formId = body.messageForm
      const form = formId === undefined ? undefined : (await forms.find(account.id, formId)).flow
      const { destinations, ref } = draftOmni(body, form)
      const drafts: Draft[] = []
      for (const destination of destinations) if ('draft' in destination) drafts.push(destination.draft)
      send.admitAll(account, drafts)
      const field = formId === undefined ? 'messageFlow' : 'messageForm'
      const placeOf: PlaceOf = (step, index) => `${field}[${index}].${step.channel}.`
      const results = await Promise.all(
        destinations.map((destination, index) =>
          acceptOne(account, scheduled(destination, sendAt), placeOf, {
            reserved: reservedKey(request, index),
            caller: callerOf(request),
          }),
        ),
      )
      if (results.every(({ code }) => code === 'A920')) {
        const maybePublished = results.some(({ result }) => result === perhapsAccepted)
        throw new BrokerUnavailable('no destination was accepted', { maybePublished })
      }
      return { code: 'A000', result: 'Success', data: { destinations: results }, ref }
    })
    done()
  }
}

function readTtlQuery(request: FastifyRequest): number | undefined {
  const { ttl } = request.query as { readonly ttl?: unknown }
  return requireValid((issues) => readTtl(ttl, '', issues))
}

function scheduled(destination: DestinationDraft, sendAt: Date | undefined): DestinationDraft {
  if (sendAt === undefined || 'problem' in destination) return destination
  return { ...destination, draft: withSendAt(destination.draft, sendAt) }
}
