/**
 * Schemas of the jobs that travel between stages. `read.ts` checks every delivered job against them; the
 * types are derived from them, so that writers and readers cannot differ. Content travels only until it is
 * recorded, and in a route's working set; everything else carries keys.
 *
 * `v` is the version of a kind of job. Optional fields can be added under the same version, because a process
 * ignores unknown fields. Any other change needs a new version, which older processes park instead of
 * misreading.
 */
import { Type, type Static } from 'typebox'
import { causes } from '../channels/cause.ts'
import { lanes } from '../channels/lane.ts'
import type { RichChannelName, Step, TextChannelName } from '../channels/channel.ts'

// Records, so that the compiler requires every channel: a job of a missing channel would be parked.
const textChannels: Readonly<Record<TextChannelName, true>> = { sms: true, international: true }
const richChannels: Readonly<Record<RichChannelName, true>> = {
  mms: true,
  rcs: true,
  alimtalk: true,
  friendtalk: true,
  brandmessage: true,
}

const version = Type.Literal(1)
/** Milliseconds since 1970. */
const time = Type.Number()
const positive = Type.Integer({ minimum: 1 })
const cause = Type.Enum([...causes])
const ttlSeconds = Type.Optional(Type.Number())

/** Accept has checked the content of a rich step; this schema only requires an object. */
const step = Type.Unsafe<Step>(
  Type.Union([
    Type.Object({
      channel: Type.Enum(Object.keys(textChannels)),
      from: Type.String(),
      text: Type.String(),
      originCid: Type.Optional(Type.String()),
      ttlSeconds,
    }),
    Type.Object({ channel: Type.Enum(Object.keys(richChannels)), content: Type.Object({}), ttlSeconds }),
  ]),
)

export const acceptedJobSchema = Type.Object({
  v: version,
  msgKey: Type.String(),
  accountId: Type.Integer(),
  acceptedAt: time,
  /** The API process whose confirm was counted, so that a loss in the intake queue is detected. */
  acceptedBy: Type.Optional(Type.String({ maxLength: 32 })),
  to: Type.String(),
  ref: Type.Optional(Type.String()),
  paymentCode: Type.Optional(Type.String()),
  /** The send time; immediately if absent. */
  sendAt: Type.Optional(time),
  /** The trust rule that holds the message until an operator decides. */
  heldBy: Type.Optional(Type.String()),
  steps: Type.Unsafe<readonly Step[]>(Type.Array(step, { minItems: 1 })),
  /** The encrypted `to` and `steps`, see `sealed.ts`. */
  sealed: Type.Optional(Type.String()),
})

/** Job from accept to intake. */
export type AcceptedJob = Readonly<Static<typeof acceptedJobSchema>>

export const routeJobSchema = Type.Object({
  v: version,
  msgKey: Type.String(),
  accountId: Type.Integer(),
  step: positive,
  try: positive,
  to: Type.String(),
  content: step,
  dueAt: time,
  /** The route, or share of a route, to which the step is released. */
  routeId: Type.String(),
  lane: Type.Enum([...lanes]),
  /** The reason for this route, for the message's timeline. */
  why: Type.Optional(Type.String()),
  /** Submissions of this try that failed while the link was up, at all routes so far; `decideRetry` limits them. */
  tries: Type.Optional(Type.Integer()),
  /**
   * Token of a claim that the previous owner of the route made, or may have made, and certainly did not use:
   * it stopped before PostgreSQL had confirmed the claim or its return.
   */
  unsubmittedClaim: Type.Optional(Type.Integer()),
  /** Id of the batch that the message belongs to. */
  batch: Type.Optional(Type.Integer()),
  /** Reason, start and end of the wait before the release. */
  heldWhy: Type.Optional(Type.String()),
  heldAt: Type.Optional(time),
  releasedAt: Type.Optional(time),
  /** The encrypted `to` and steps, see `sealed.ts`. */
  sealed: Type.Optional(Type.String()),
})

/** Job from scheduling to dispatch: one step of one message, released to a route. */
export type RouteJob = Readonly<Static<typeof routeJobSchema>>

/** A step that is not released yet. */
export type StepJob = Omit<RouteJob, 'routeId' | 'lane'>

export const receiptJobSchema = Type.Object({
  v: version,
  kind: Type.Literal('receipt'),
  routeId: Type.String(),
  /** Digest of the route's login, for a receipt that is matched after its route is deleted. */
  login: Type.Optional(Type.String()),
  carrierId: Type.Union([Type.String(), Type.Null()]),
  result: Type.Enum(['delivered', 'failed']),
  cause,
  /** A report code that is more specific than the cause. */
  reportCode: Type.Optional(Type.String()),
  code: Type.String(),
  recipient: Type.String(),
  /** Restricts the match to attempts to `recipient`, because a subscriber could have written the receipt. */
  recipientMustMatch: Type.Optional(Type.Literal(true)),
  /** The reference of the gateway, if the carrier returned it. */
  reference: Type.Optional(Type.String()),
  /** The recipient's mobile carrier, if the receipt named it. */
  carrier: Type.Optional(Type.String()),
  /** The carrier that the number was ported to. */
  portedTo: Type.Optional(Type.String()),
  userType: Type.Optional(Type.Enum(['F', 'N'])),
  at: time,
  receivedAt: time,
})

/** Job from receipts to settle: a carrier's final receipt for one part. */
export type ReceiptJob = Readonly<Static<typeof receiptJobSchema>>

export const verdictJobSchema = Type.Object({
  v: version,
  kind: Type.Literal('verdict'),
  msgKey: Type.String(),
  step: positive,
  try: positive,
  cause,
  reportCode: Type.Optional(Type.String()),
  parts: Type.Integer(),
  carrier: Type.Optional(Type.String()),
  /** The carrier that the number was ported to, if another route serves it: the step moves to that route. */
  portedTo: Type.Optional(Type.String()),
  at: time,
  /** The step ends only if it is in this state. */
  state: Type.Enum(['unclaimed', 'claimed']),
})

/**
 * Job from scheduling, dispatch or `parked drop` to settle: the step has failed without a receipt. A verdict that
 * no submission was made is published again if its cause is processed again; by then the step may be at the
 * carrier, and must not end.
 */
export type VerdictJob = Readonly<Static<typeof verdictJobSchema>>

const partResponse = Type.Object({
  part: Type.Integer({ minimum: 0 }),
  parts: Type.Integer(),
  outcome: Type.Enum(['accepted', 'refused', 'unknown']),
  carrierId: Type.Union([Type.String(), Type.Null()]),
  code: Type.Union([Type.String(), Type.Null()]),
  cause: Type.Union([cause, Type.Null()]),
  reportCode: Type.Optional(Type.String()),
  portedTo: Type.Optional(Type.String()),
  carrier: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  at: time,
})

export const responseJobSchema = Type.Object({
  v: version,
  kind: Type.Literal('answer'),
  msgKey: Type.String(),
  step: positive,
  try: positive,
  routeId: Type.String(),
  recipient: Type.String(),
  /** The token of the claim that the step was submitted with. */
  claim: Type.Integer(),
  /** The reason for this route, and the reason and length of the wait before it. */
  routeReason: Type.Optional(Type.String()),
  heldReason: Type.Optional(Type.String()),
  heldMs: Type.Optional(Type.Number()),
  answers: Type.Array(partResponse, { minItems: 1 }),
})

/**
 * Job from dispatch to settle: the carrier's response to parts of a step, if the owner of the route had to
 * stop before PostgreSQL stored it. Settle records it regardless of who owns the route by then.
 */
export type ResponseJob = Readonly<Static<typeof responseJobSchema>>

export const optOutJobSchema = Type.Object({
  v: version,
  kind: Type.Literal('opt-out'),
  /** Recorded in the history. */
  routeId: Type.String(),
  /**
   * Blind index of the recipient for each affected account, in base64, so that the number does not travel.
   */
  choices: Type.Array(Type.Object({ accountId: Type.Integer(), recipient: Type.String() })),
  state: Type.Enum(['suppressed', 'none']),
  source: Type.Enum(['reply', 'carrier']),
  at: time,
})

/**
 * Job from receipts to the suppression lists: a recipient has opted out, or in again, at its carrier or by a
 * reply.
 */
export type OptOutJob = Readonly<Static<typeof optOutJobSchema>>

export type SettleJob = ReceiptJob | VerdictJob | ResponseJob
