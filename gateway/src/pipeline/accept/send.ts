/**
 * Checks a simple send and accepts it: the shape and the limits of its channel, admission, the rules of trust, files, the caps
 * of the account, then the publish. It resolves with the msgKey after the broker has confirmed, and throws a Problem or
 * BrokerUnavailable otherwise. Every way in calls it: the send endpoints of the API and the SMPP server.
 */
import type { Account } from '../../accounts/account.ts'
import type { ChannelName, Draft } from '../../channels/channel.ts'
import { Issues, requireValid } from '../../channels/issues.ts'
import { laneOf, type Lane } from '../../channels/lane.ts'
import { channels } from '../../channels/registry.ts'
import { capTtl } from '../../channels/ttl.ts'
import { Problem } from '../../contract/problem.ts'
import { BrokerUnavailable } from '../../platform/broker/publish.ts'
import type { DraftCounting } from '../../trust/policy.ts'
import type { Admission } from '../admission/admission.ts'
import type { Accept } from './accept.ts'
import type { CheckSteps, PlaceOf } from './check-steps.ts'
import { createShape, type Shape } from './shape.ts'
import { createHold } from './trust.ts'

/** The second step of a simple send is its fallback. */
const simplePlace: PlaceOf = (_step, index) => (index === 0 ? '' : 'fallback.')

export interface SendContext {
  readonly accept: Accept
  /** Throws when the messages of a request are not admitted; every request is admitted when it is absent. */
  readonly admit?: Admission['admit']
  readonly checkSteps: CheckSteps
  /** Counts messages for velocity and caps. */
  readonly counting?: Pick<DraftCounting, 'takeDraft'>
}

export interface SendOptions {
  readonly sendAt?: Date | undefined
  /** Time limit of the message without its fallback; the configured one when absent. */
  readonly ttlSeconds?: number | undefined
  readonly reservedKey?: string | undefined
  /** The header `traceparent` of the request. */
  readonly caller?: string | undefined
}

export interface Sent {
  readonly msgKey: string
  readonly draft: Draft
}

export interface Send {
  /** A request with one message: `body` is that of `/v1/send/<channel>`. */
  simple(account: Account, channel: ChannelName, body: unknown, options?: SendOptions): Promise<Sent>
  /** Before anything is accepted: a request is refused as a whole. */
  admitAll(account: Account, drafts: readonly Draft[]): void
  /** The checks of one destination that its own content cannot answer, and its acceptance. */
  acceptDraft(
    account: Account,
    draft: Draft,
    placeOf: PlaceOf,
    reserved: string | undefined,
    caller?: string,
  ): Promise<string>
}

/** Of the body of a simple send. */
export const bodyShapes = Object.fromEntries(
  Object.values(channels).map(({ name, schema, fieldCodes }) => [name, createShape(schema, fieldCodes)]),
) as Readonly<Record<ChannelName, Shape>>

export function createSend(context: SendContext): Send {
  const { accept, admit = () => undefined, checkSteps } = context
  const takeDraft = context.counting?.takeDraft ?? (() => Promise.resolve(() => undefined))

  const send: Send = {
    async simple(account, name, body, { sendAt, ttlSeconds, reservedKey, caller } = {}) {
      const channel = channels[name]
      requireValid((issues) => bodyShapes[name].check(body, '', issues))
      const checked = requireValid((issues) => channel.draft(body, issues))
      const draft = withTtl(withSendAt(checked, sendAt), ttlSeconds)
      send.admitAll(account, [draft])
      const msgKey = await send.acceptDraft(account, draft, simplePlace, reservedKey, caller)
      return { msgKey, draft }
    },

    admitAll(account, drafts) {
      const messages = new Map<Lane, number>()
      for (const draft of drafts) {
        const lane = laneOf(draft.steps[0]!, account.lane)
        messages.set(lane, (messages.get(lane) ?? 0) + 1)
      }
      admit(account, messages)
    },

    async acceptDraft(account, draft, placeOf, reserved, caller) {
      const issues = new Issues('first')
      const checking = checkSteps(account.id, draft, placeOf, issues)
      if (checking !== null) await checking
      issues.throwFirst()
      const counted = await takeDraft(account.id, draft, createHold(draft))
      if (counted instanceof Problem) throw counted
      try {
        return await accept(account, draft.steps[0]!.channel, draft, reserved, caller)
      } catch (error) {
        if (error instanceof BrokerUnavailable && !error.maybePublished) counted()
        throw error
      }
    },
  }
  return send
}

export function withSendAt(draft: Draft, sendAt: Date | undefined): Draft {
  return sendAt === undefined ? draft : { ...draft, sendAt: sendAt.getTime() }
}

/** A fallback has a time limit of its own. */
export function withTtl(draft: Draft, ttlSeconds: number | undefined): Draft {
  const [first, ...rest] = draft.steps
  return ttlSeconds === undefined ? draft : { ...draft, steps: [capTtl(first!, ttlSeconds), ...rest] }
}
