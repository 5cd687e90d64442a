/**
 * Checks and accepts messages, for the API and the SMPP server: shape and limits of the channel, admission,
 * trust rules, files, caps of the account, then the publish. Resolves with the msgKey after the broker has confirmed. Rejects
 * with a Problem, with BrokerUnavailable, or with the error of a lookup.
 */
import type { Account } from '../../identity/accounts/account.ts'
import type { ChannelName, Draft } from '../../channels/channel.ts'
import { Issues, requireValid } from '../../channels/issues.ts'
import { chooseLane, type Lane } from '../../channels/lane.ts'
import { channels } from '../../channels/registry.ts'
import { capTtl } from '../../channels/ttl.ts'
import { Problem } from '../../contract/problem.ts'
import { resultCodes } from '../../contract/result-codes.ts'
import { BrokerUnavailable } from '../../platform/broker/publish.ts'
import type { DraftCounting } from '../../trust/abuse/draft-counting.ts'
import type { AdmissionController } from '../admission/admission.ts'
import type { Accept, MessageOrigin, ReservedMessage } from './accept.ts'
import { createHold, type CheckSteps, type StepPath } from './check-steps.ts'
import { createShape, type Shape } from './shape.ts'

export interface SendContext {
  readonly accept: Accept
  readonly admit: AdmissionController['admit']
  readonly checkSteps: CheckSteps
  /** Counts messages for velocity and caps. */
  readonly counting: Pick<DraftCounting, 'countDraft'>
}

/** Times of a simple send that are not in its body. */
export interface SendTimes {
  readonly sendAt?: Date | undefined
  /** Time limit of the message without its fallback; defaults to the configured one. */
  readonly ttlSeconds?: number | undefined
}

export interface AcceptedSend {
  readonly msgKey: string
  readonly draft: Draft
}

export interface Send {
  /** Sends one message. `body` is that of `/v1/send/<channel>`. */
  simple(
    account: Account,
    channel: ChannelName,
    body: unknown,
    options?: SendTimes & MessageOrigin,
  ): Promise<AcceptedSend>
  /** Throws a Problem if the request is not admitted. Call it before any part of the request is accepted. */
  admitAll(account: Account, drafts: readonly Draft[]): void
  /** Applies the checks that need more than the content of the draft, and accepts it. */
  acceptDraft(account: Account, draft: Draft, stepPath: StepPath, origin: MessageOrigin): Promise<string>
}

const bodyShapes = Object.fromEntries(
  Object.values(channels).map(({ name, schema, fieldCodes }) => [name, createShape(schema, fieldCodes)]),
) as Readonly<Record<ChannelName, Shape>>

/** Returns null after an issue that ends the checks. */
export function readSimple(
  channel: ChannelName,
  body: unknown,
  { sendAt, ttlSeconds }: SendTimes,
  issues: Issues,
): Draft | null {
  const content = bodyShapes[channel].check(body, '', issues)
  if (content === null) return null
  const draft = channels[channel].draft(content, issues)
  const [first, ...fallback] = draft.steps
  return {
    ...draft,
    ...(sendAt && { sendAt: sendAt.getTime() }),
    // A fallback has its own time limit.
    ...(ttlSeconds !== undefined && first && { steps: [capTtl(first, ttlSeconds), ...fallback] }),
  }
}

/** Path of a step: the second step of a simple send is its fallback. */
export const simplePath: StepPath = (_step, index) => (index === 0 ? '' : 'fallback.')

export function createSend({ accept, admit, checkSteps, counting }: SendContext): Send {
  const send: Send = {
    async simple(account, channel, body, options = {}) {
      const draft = requireValid((issues) => readSimple(channel, body, options, issues), account)
      send.admitAll(account, [draft])
      return { msgKey: await send.acceptDraft(account, draft, simplePath, options), draft }
    },

    admitAll(account, drafts) {
      const messages = new Map<Lane, number>()
      for (const draft of drafts) {
        const lane = chooseLane(draft.steps[0]!, account.lane)
        messages.set(lane, (messages.get(lane) ?? 0) + 1)
      }
      admit(account, messages)
    },

    acceptDraft: (account, draft, stepPath, origin) =>
      keepDoubt(origin.reserved, () => acceptOnce(account, draft, stepPath, origin)),
  }

  async function acceptOnce(
    account: Account,
    draft: Draft,
    stepPath: StepPath,
    origin: MessageOrigin,
  ): Promise<string> {
    const { reserved } = origin
    if (reserved?.earlier === 'accepted') {
      const { heldBy } = reserved
      return accept(account, heldBy === undefined ? draft : { ...draft, heldBy }, origin)
    }
    const uncount = await judgeAndCount(account, draft, stepPath)
    try {
      const msgKey = await accept(account, draft, origin)
      noteAccepted(reserved, draft)
      return msgKey
    } catch (error) {
      if (error instanceof BrokerUnavailable && !error.maybePublished) uncount()
      else noteAccepted(reserved, draft)
      throw error
    }
  }

  /** Returns a function that undoes the count. */
  async function judgeAndCount(account: Account, draft: Draft, stepPath: StepPath): Promise<() => void> {
    const issues = new Issues('first')
    await checkSteps(account.id, draft, stepPath, issues)
    issues.throwFirst()
    const uncount = await counting.countDraft(account.id, draft, createHold(draft))
    if (uncount instanceof Problem) throw uncount
    return uncount
  }

  return send
}

/** A repeat of the request finds a message that is judged and counted. */
function noteAccepted(reserved: ReservedMessage | undefined, { heldBy }: Draft): void {
  if (reserved !== undefined) Object.assign(reserved, { earlier: 'accepted', heldBy })
}

/**
 * Replaces a refusal if an earlier request may have been accepted: a client that believes the refusal sends under
 * another key, and the message is sent twice.
 */
export async function keepDoubt<T>(
  reserved: ReservedMessage | undefined,
  work: () => Promise<T>,
): Promise<T> {
  const isDoubtful = mayBeAccepted(reserved)
  try {
    return await work()
  } catch (error) {
    const isRefusal =
      error instanceof BrokerUnavailable || (error instanceof Problem && resultCodes[error.code].status < 429)
    if (!isRefusal || !isDoubtful) throw error
    throw new BrokerUnavailable('refused now, but an earlier request may have been accepted', {
      cause: error,
      maybePublished: true,
    })
  }
}

export function mayBeAccepted(reserved: ReservedMessage | undefined): boolean {
  return reserved !== undefined && reserved.earlier !== 'none'
}
