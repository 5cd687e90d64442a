import type { FastifyPluginCallback, FastifyRequest } from 'fastify'
import type { Account } from '../../identity/accounts/account.ts'
import { requireAccount } from '../../identity/accounts/request-account.ts'
import { requireValid } from '../../channels/issues.ts'
import { channels } from '../../channels/registry.ts'
import { Problem } from '../../contract/problem.ts'
import { BrokerUnavailable } from '../../platform/broker/publish.ts'
import { isTransient } from '../../platform/database/transient.ts'
import type { MessageOrigin, ReservedMessage } from './accept.ts'
import type { StepPath } from './check-steps.ts'
import { sendDryRunResponse, createDryRun, type DryRunOptions } from './dry-run.ts'
import { draftOmni, maxDestinations, readOmni, type DestinationDraft } from './omni.ts'
import { isDryRun, readSendAt, readTtlSeconds } from './query.ts'
import { OmniSendResponse, SendResponse, type DestinationResponse } from './responses.ts'
import { normalizeSdkBody } from './sdk-compat.ts'
import { keepDoubt, mayBeAccepted, type Send } from './send.ts'

/**
 * Results of one destination while others are accepted. Such a response is not final: a request that is repeated under its
 * Idempotency-Key is processed again with the same msgKeys.
 */
const notAccepted = 'Service busy: not accepted; send this destination again'
const perhapsAccepted =
  'Service busy: perhaps accepted; repeat the request with the same Idempotency-Key, without one it may be sent twice'

export interface SendRoutesOptions extends DryRunOptions {
  readonly send: Send
  /** Returns what is reserved for the messages of the request, in the order of the destinations. */
  readonly getReserved: (request: FastifyRequest) => readonly ReservedMessage[]
  /** Called with the results of an omni send before its response with status 200. */
  readonly noteDestinations: (request: FastifyRequest, codes: readonly string[]) => void
}

/**
 * Counts the messages of a send for the rate limit, before the body is checked. An invalid body counts as
 * one.
 */
export function countDestinations(request: FastifyRequest): number {
  const destinations = (request.body as { destinations?: unknown } | null | undefined)?.destinations
  if (!Array.isArray(destinations)) return 1
  return Math.min(Math.max(1, destinations.length), maxDestinations)
}

/**
 * Registers POST /v1/send/<channel> and /v1/send/omni. A message gets A000 only after the broker has confirmed it; an omni
 * response as a whole has A000 even if no destination is accepted, unless all of them failed with A920. A plain send makes
 * no PostgreSQL query, so sends are accepted while it is unavailable.
 */
export function sendRoutes(options: SendRoutesOptions): FastifyPluginCallback {
  const { send, forms, getReserved, noteDestinations } = options
  const dryRun = createDryRun(options)

  function readOrigin(request: FastifyRequest, index: number): MessageOrigin {
    const caller = request.headers['traceparent'] as string | undefined
    return { reserved: getReserved(request)[index], caller }
  }

  async function acceptOne(
    account: Account,
    destination: DestinationDraft,
    stepPath: StepPath,
    origin: MessageOrigin,
  ): Promise<DestinationResponse> {
    const { to } = destination
    const { reserved } = origin
    try {
      if ('problem' in destination) throw destination.problem
      const msgKey = await send.acceptDraft(account, destination.draft, stepPath, origin)
      return { to, msgKey, code: 'A000', result: 'Success' }
    } catch (error) {
      const isDoubtful =
        mayBeAccepted(reserved) || (error instanceof BrokerUnavailable && error.maybePublished)
      if (error instanceof Problem) {
        // A destination that is wrong by itself was refused by earlier requests, too.
        const acceptance = isDoubtful && 'draft' in destination ? 'perhaps' : error.acceptance
        return { to, msgKey: '', code: error.code, result: error.message, acceptance }
      }
      // Other destinations may be accepted already; if the whole request failed, the client would send them
      // again.
      if (!isTransient(error)) throw error
      return isDoubtful
        ? { to, msgKey: '', code: 'A920', result: perhapsAccepted, acceptance: 'perhaps' }
        : { to, msgKey: '', code: 'A920', result: notAccepted, acceptance: 'no' }
    }
  }

  return (server, _options, done) => {
    for (const { name } of Object.values(channels)) {
      server.post(
        `/v1/send/${name}`,
        { schema: { response: { 200: SendResponse } } },
        async (request, reply) => {
          const account = requireAccount(request)
          const isRepeated = getReserved(request).some(mayBeAccepted)
          const times = { sendAt: readSendAt(request, isRepeated), ttlSeconds: readTtlSeconds(request) }
          const body = normalizeSdkBody(name, request.body)
          if (isDryRun(request))
            return sendDryRunResponse(reply, await dryRun.simple(account, name, body, times))
          const { msgKey, draft } = await send.simple(account, name, body, {
            ...times,
            ...readOrigin(request, 0),
          })
          return { code: 'A000', result: 'Success', msgKey, ref: draft.ref }
        },
      )
    }
    server.post(
      '/v1/send/omni',
      { schema: { response: { 200: OmniSendResponse } } },
      async (request, reply) => {
        const account = requireAccount(request)
        const repeated = getReserved(request).find(mayBeAccepted)
        const sendAt = readSendAt(request, repeated !== undefined)
        const candidate = normalizeSdkBody('omni', request.body)
        if (isDryRun(request)) return sendDryRunResponse(reply, await dryRun.omni(account, candidate, sendAt))
        const body = requireValid((issues) => readOmni(candidate, issues))
        const formId = body.messageForm
        const findFlow = async (id: string) => (await forms.find(account.id, id)).flow
        const form = formId === undefined ? undefined : await keepDoubt(repeated, () => findFlow(formId))
        const destinations = draftOmni(body, form, sendAt, account)
        send.admitAll(
          account,
          destinations.flatMap((destination) => ('draft' in destination ? [destination.draft] : [])),
        )
        const field = formId === undefined ? 'messageFlow' : 'messageForm'
        const stepPath: StepPath = (step, index) => `${field}[${index}].${step.channel}.`
        const results = await Promise.all(
          destinations.map((destination, index) =>
            acceptOne(account, destination, stepPath, readOrigin(request, index)),
          ),
        )
        if (results.every(({ code }) => code === 'A920')) {
          const maybePublished = results.some(({ acceptance }) => acceptance === 'perhaps')
          throw new BrokerUnavailable('no destination was accepted', { maybePublished })
        }
        noteDestinations(
          request,
          results.map(({ code }) => code),
        )
        const shown =
          account.reportKeys === 'full'
            ? results
            : results.map((result) => ({ ...result, acceptance: undefined }))
        return { code: 'A000', result: 'Success', data: { destinations: shown }, ref: body.ref }
      },
    )
    done()
  }
}
