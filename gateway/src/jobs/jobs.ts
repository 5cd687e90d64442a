/**
 * The jobs that travel between stages, as schemas. `read.ts` checks every delivered job against them; the types are
 * derived from them, so that what is written and what is read cannot differ. Content travels only until it is recorded,
 * and in a route's working set; everything else carries keys.
 *
 * `v` is the version of a kind of job. Optional fields may be added under the same version: fields that a process does
 * not know are allowed. Any other change needs a new version, which older processes park instead of misreading.
 */
import { Type, type Static } from 'typebox'
import { causes } from '../channels/cause.ts'
import { lanes } from '../channels/lane.ts'
import type { RichChannelName, Step, TextChannelName } from '../channels/channel.ts'

// Records, so that the compiler demands every channel: a job of a channel that is missing here would be parked.
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

/** Accept has checked the content of a rich step; here it is only known to be an object. */
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
  /** The API process whose confirm was counted, so that a loss in the first queue can be seen. */
  acceptedBy: Type.Optional(Type.String({ maxLength: 32 })),
  to: Type.String(),
  ref: Type.Optional(Type.String()),
  paymentCode: Type.Optional(Type.String()),
  /** When it is to be sent; at once when absent. */
  sendAt: Type.Optional(time),
  /** The rule of trust that holds it until an operator decides. */
  heldBy: Type.Optional(Type.String()),
  steps: Type.Unsafe<readonly Step[]>(Type.Array(step, { minItems: 1 })),
  /** `to` and `steps` encrypted, see `sealed.ts`. */
  sealed: Type.Optional(Type.String()),
})

/** accept → intake. */
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
  /** The route, or share of a route, and the lane that it is released to. */
  routeId: Type.String(),
  lane: Type.Enum([...lanes]),
  /** Why this route, for the message's timeline. */
  why: Type.Optional(Type.String()),
  /** Submissions of this try that the carrier certainly did not accept, before it came to this route. */
  tries: Type.Optional(Type.Integer()),
  /**
   * The token of a claim that the previous owner of the route made, or may have made, and certainly did not use: it lost
   * PostgreSQL before it could return it.
   */
  unsubmittedClaim: Type.Optional(Type.Integer()),
  /**
   * Parts that the carrier certainly did not accept, of a message whose other parts it has answered, when the previous owner
   * stopped. Its claim has one of the tokens, and none of them was used for these parts since.
   */
  rest: Type.Optional(
    Type.Object({
      tokens: Type.Array(Type.Integer(), { minItems: 1 }),
      parts: Type.Array(positive, { minItems: 1 }),
    }),
  ),
  /** Why it waited before its release, from when and until when. */
  heldWhy: Type.Optional(Type.String()),
  heldAt: Type.Optional(time),
  releasedAt: Type.Optional(time),
  /** `to` and all steps encrypted, see `sealed.ts`. */
  sealed: Type.Optional(Type.String()),
})

/** scheduling → dispatch: one step of one message, released to a route. */
export type RouteJob = Readonly<Static<typeof routeJobSchema>>

/** A step that is not released yet. */
export type StepJob = Omit<RouteJob, 'routeId' | 'lane'>

export const receiptJobSchema = Type.Object({
  v: version,
  kind: Type.Literal('receipt'),
  routeId: Type.String(),
  /** The digest of the route's login, for a receipt that is matched after its route is deleted. */
  login: Type.Optional(Type.String()),
  carrierId: Type.Union([Type.String(), Type.Null()]),
  result: Type.Enum(['delivered', 'failed']),
  cause,
  /** A report code that says more than the cause. */
  reportCode: Type.Optional(Type.String()),
  code: Type.String(),
  recipient: Type.String(),
  /** Only an attempt to `recipient` may match: a subscriber could have written the receipt. */
  recipientMustMatch: Type.Optional(Type.Literal(true)),
  /** Ours, where the carrier returned it. */
  reference: Type.Optional(Type.String()),
  /** The recipient's mobile carrier, where the receipt named it. */
  carrier: Type.Optional(Type.String()),
  /** The carrier that the number was ported to. */
  portedTo: Type.Optional(Type.String()),
  userType: Type.Optional(Type.Enum(['F', 'N'])),
  at: time,
  receivedAt: time,
})

/** receipts → settle: a carrier's final receipt for one part. */
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
  /** The carrier that the number was ported to, when another route serves it: the step takes that route. */
  portedTo: Type.Optional(Type.String()),
  at: time,
  /** The step ends only if it is in this state. */
  state: Type.Enum(['unclaimed', 'claimed']),
})

/**
 * intake, dispatch or `parked drop` → settle: the step has failed without a receipt. A verdict that no submission was made
 * is published again when its cause is processed again; by then the step may be at the carrier, and must not end.
 */
export type VerdictJob = Readonly<Static<typeof verdictJobSchema>>

const answeredPart = Type.Object({
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

export const answerJobSchema = Type.Object({
  v: version,
  kind: Type.Literal('answer'),
  msgKey: Type.String(),
  step: positive,
  try: positive,
  routeId: Type.String(),
  recipient: Type.String(),
  /** The token of the claim that the step was submitted with. */
  claim: Type.Integer(),
  /** Why this route was chosen, and why and how long the step waited before. */
  routeReason: Type.Optional(Type.String()),
  heldReason: Type.Optional(Type.String()),
  heldMs: Type.Optional(Type.Number()),
  answers: Type.Array(answeredPart, { minItems: 1 }),
})

/**
 * dispatch → settle: what the carrier answered to parts of a step, when the owner of the route had to stop before
 * PostgreSQL took it. Whoever settles it records it, whoever owns the route by then.
 */
export type AnswerJob = Readonly<Static<typeof answerJobSchema>>

export const optOutJobSchema = Type.Object({
  v: version,
  kind: Type.Literal('opt-out'),
  /** For the history. */
  routeId: Type.String(),
  /** The recipient's blind index for each account that it concerns, in base64: no number travels. */
  choices: Type.Array(Type.Object({ accountId: Type.Integer(), recipient: Type.String() })),
  state: Type.Enum(['suppressed', 'none']),
  source: Type.Enum(['reply', 'carrier']),
  at: time,
})

/** receipts → the lists of recipients: a recipient has opted out, or in again, at its carrier or by a text. */
export type OptOutJob = Readonly<Static<typeof optOutJobSchema>>

export type SettleJob = ReceiptJob | VerdictJob | AnswerJob
