/**
 * POST /v1/send/<channel> and /v1/send/omni. A000 is answered only after the broker has confirmed the message.
 * PostgreSQL is not queried for a plain send, so sends are accepted while it is unavailable.
 */
import { requireAccount } from '../../accounts/request-account.ts'
import type { FastifyPluginCallback, FastifyRequest } from 'fastify'
import type { Account } from '../../accounts/account.ts'
import type { Draft } from '../../channels/channel.ts'
import { Issues, requireValid } from '../../channels/issues.ts'
import { laneOf, type Lane } from '../../channels/lane.ts'
import { channels } from '../../channels/registry.ts'
import { BrokerUnavailable } from '../../platform/broker/publish.ts'
import { Problem } from '../../contract/problem.ts'
import type { DraftCounting } from '../../trust/policy.ts'
import type { Admission } from '../admission/admission.ts'
import type { Accept } from './accept.ts'
import { OmniAnswer, SendAnswer } from './answers.ts'
import { answerDryRun, createDryRun, wantsDryRun, type DryRunOptions } from './dry-run.ts'
import type { PlaceOf } from './check-steps.ts'
import { draftOmni, readOmni, type DestinationDraft } from './omni.ts'
import { normalizeSdkBody } from './sdk-compat.ts'
import { readSendAt } from './send-at.ts'
import { createShape } from './shape.ts'

/** The second step of a simple send is its fallback. */
const simplePlace: PlaceOf = (_step, index) => (index === 0 ? '' : 'fallback.')

/** Of one destination, while others of the request are accepted. Repeated under its key, the request gets the same answer. */
const notAccepted = 'Service busy: not accepted, send it again'
const perhapsAccepted = 'Service busy: perhaps accepted; sent again, it may be delivered twice'

export interface SendRoutesOptions extends DryRunOptions {
  readonly accept: Accept
  /** Throws when the messages of a request are not admitted; every request is admitted when it is absent. */
  readonly admit?: Admission['admit']
  /** Counts messages for the caps of accounts; absent where there are none. */
  readonly counting?: Pick<DraftCounting, 'takeDraft'>
  /** The msgKey reserved for the nth message of the request, if any. */
  readonly reservedKey?: (request: FastifyRequest, index: number) => string | undefined
}

export function sendRoutes(options: SendRoutesOptions): FastifyPluginCallback {
  const { accept, admit = () => undefined, checkSteps, forms, reservedKey = () => undefined } = options
  const takeDraft = options.counting?.takeDraft ?? (() => () => undefined)
  const dryRun = createDryRun(options)

  /** Before anything is accepted: a request is refused as a whole. */
  function admitAll(account: Account, drafts: readonly Draft[]): void {
    const messages = new Map<Lane, number>()
    for (const draft of drafts) {
      const lane = laneOf(draft.steps[0]!, account.lane)
      messages.set(lane, (messages.get(lane) ?? 0) + 1)
    }
    admit(account, messages)
  }

  async function acceptDraft(
    account: Account,
    draft: Draft,
    placeOf: PlaceOf,
    reserved: string | undefined,
  ): Promise<string> {
    const issues = new Issues('first')
    const checking = checkSteps(account.id, draft, placeOf, issues)
    if (checking !== null) await checking
    issues.throwFirst()
    const taking = takeDraft(account.id, draft)
    const counted = taking instanceof Promise ? await taking : taking
    if (counted instanceof Problem) throw counted
    try {
      return await accept(account, draft.steps[0]!.channel, draft, reserved)
    } catch (error) {
      if (error instanceof BrokerUnavailable && !error.maybePublished) counted()
      throw error
    }
  }

  async function acceptOne(
    account: Account,
    destination: DestinationDraft,
    placeOf: PlaceOf,
    reserved: string | undefined,
  ) {
    const { to } = destination
    try {
      if ('problem' in destination) throw destination.problem
      return {
        to,
        msgKey: await acceptDraft(account, destination.draft, placeOf, reserved),
        code: 'A000',
        result: 'Success',
      }
    } catch (error) {
      if (error instanceof Problem) return { to, msgKey: '', code: error.code, result: error.message }
      // Other destinations may be accepted already: failing the whole request would make the client send them again.
      if (error instanceof BrokerUnavailable) {
        return { to, msgKey: '', code: 'A920', result: error.maybePublished ? perhapsAccepted : notAccepted }
      }
      throw error
    }
  }

  return (server, _options, done) => {
    for (const channel of Object.values(channels)) {
      const shape = createShape(channel.schema, channel.fieldCodes)
      server.post(
        `/v1/send/${channel.name}`,
        { schema: { response: { 200: SendAnswer } } },
        async (request, reply) => {
          const sendAt = readSendAt(request)
          const body = normalizeSdkBody(channel.name, request.body)
          if (wantsDryRun(request)) {
            return answerDryRun(
              reply,
              await dryRun.simple(requireAccount(request), channel, shape, body, sendAt),
            )
          }
          requireValid((issues) => shape.check(body, '', issues))
          const checked = requireValid((issues) => channel.draft(body, issues))
          const draft = withSendAt(checked, sendAt)
          const account = requireAccount(request)
          admitAll(account, [draft])
          const msgKey = await acceptDraft(account, draft, simplePlace, reservedKey(request, 0))
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
      admitAll(account, drafts)
      const field = formId === undefined ? 'messageFlow' : 'messageForm'
      const placeOf: PlaceOf = (step, index) => `${field}[${index}].${step.channel}.`
      const results = await Promise.all(
        destinations.map((destination, index) =>
          acceptOne(account, scheduled(destination, sendAt), placeOf, reservedKey(request, index)),
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

function withSendAt(draft: Draft, sendAt: Date | undefined): Draft {
  return sendAt === undefined ? draft : { ...draft, sendAt: sendAt.getTime() }
}

function scheduled(destination: DestinationDraft, sendAt: Date | undefined): DestinationDraft {
  if (sendAt === undefined || 'problem' in destination) return destination
  return { ...destination, draft: withSendAt(destination.draft, sendAt) }
}
