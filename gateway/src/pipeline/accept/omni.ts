/**
 * POST /v1/send/omni: a flow of messages in the order of fallback, to up to ten destinations. What is wrong with the
 * request fails it whole; what is wrong with one destination fails that one, and the others are accepted.
 */
import { Type, type Static } from 'typebox'
import type { Draft, Step } from '../../channels/channel.ts'
import { checkCharacters, checkRef } from '../../channels/fields.ts'
import { isRecipient } from '../../channels/numbers.ts'
import { throwProblem, type Refuse } from '../../channels/refuse.ts'
import { FieldProblem, invalidField, Problem } from '../../contract/problem.ts'
import type { FieldCodes } from '../../contract/result-codes.ts'
import { readFlow, type FlowEntry } from './flow.ts'
import { fillIn } from './placeholders.ts'
import { createShape } from './shape.ts'

export { checkFlow, maxSteps } from './flow.ts'

export const maxDestinations = 10
const maxPaymentCode = 20

export const OmniBody = Type.Object(
  {
    destinations: Type.Array(
      Type.Object(
        {
          to: Type.String({ description: 'Recipient number, digits only' }),
          replaceWords: Type.Optional(
            Type.Record(Type.String(), Type.String(), { description: 'Words for the placeholders #{key}' }),
          ),
        },
        { additionalProperties: false },
      ),
      { minItems: 1, description: `Recipients, at most ${maxDestinations}` },
    ),
    messageFlow: Type.Optional(
      Type.Array(Type.Record(Type.String(), Type.Unknown()), {
        minItems: 1,
        description: 'Messages in send order, each an object with one channel',
      }),
    ),
    messageForm: Type.Optional(
      Type.String({ minLength: 1, description: 'A registered form, instead of messageFlow' }),
    ),
    paymentCode: Type.Optional(
      Type.String({ maxLength: maxPaymentCode, description: 'Billing department code' }),
    ),
    ref: Type.Optional(Type.String({ description: 'Reference field, given back in reports' })),
  },
  { additionalProperties: false },
)

export type OmniRequest = Static<typeof OmniBody>
type Destination = OmniRequest['destinations'][number]

const bodyCodes: FieldCodes = {
  messageForm: 'A250',
  destinations: 'A306',
  'destinations.to': 'A306',
  'destinations.replaceWords': 'A300',
  paymentCode: 'A310',
  ref: 'A305',
}
const bodyShape = createShape(OmniBody, bodyCodes)

/** A draft, or what is wrong with this destination. */
export type DestinationDraft = { readonly to: string } & (
  { readonly draft: Draft } | { readonly problem: Problem }
)

/** A request of the right shape, with either a flow or the id of a form; null when a `refuse` let pass what is none. */
export function readOmni(candidate: unknown): OmniRequest
export function readOmni(candidate: unknown, refuse: Refuse): OmniRequest | null
export function readOmni(candidate: unknown, refuse: Refuse = throwProblem): OmniRequest | null {
  const request = bodyShape.check(candidate, '', refuse) as OmniRequest | null
  if (request === null) return null
  if ((request.messageFlow === undefined) === (request.messageForm === undefined)) {
    refuse(invalidField('A300', 'messageFlow', 'either messageFlow or messageForm is wanted'))
  }
  return request
}

/** What all destinations of a request have in common. */
export interface OmniPlan {
  readonly entries: readonly FlowEntry[]
  readonly destinations: readonly Destination[]
  readonly shared: Pick<Draft, 'ref' | 'paymentCode'>
}

/** `form` is the stored flow of the form that the request names. */
export function planOmni(body: OmniRequest, form?: unknown, refuse: Refuse = throwProblem): OmniPlan {
  const { ref, paymentCode } = body
  if (body.destinations.length > maxDestinations) {
    const reason = `${body.destinations.length}, at most ${maxDestinations}`
    refuse(new FieldProblem('A318', `Too many destinations: ${reason}`, 'destinations', reason))
  }
  const destinations = body.destinations.slice(0, maxDestinations)
  destinations.forEach(({ replaceWords }, index) =>
    checkWords(replaceWords, `destinations[${index}].replaceWords`, refuse),
  )
  checkRef(ref, refuse)
  if (paymentCode !== undefined) checkPaymentCode(paymentCode, refuse)
  return {
    entries: readEntries(body, form, refuse),
    destinations,
    shared: { ...(ref === undefined ? {} : { ref }), ...(paymentCode === undefined ? {} : { paymentCode }) },
  }
}

function readEntries(body: OmniRequest, form: unknown, refuse: Refuse): FlowEntry[] {
  if (form !== undefined) return readFlow(form, 'messageForm', refuse)
  return body.messageFlow === undefined ? [] : readFlow(body.messageFlow, 'messageFlow', refuse)
}

export function draftOmni(
  body: OmniRequest,
  form?: unknown,
): { readonly ref?: string; readonly destinations: DestinationDraft[] } {
  const plan = planOmni(body, form)
  return {
    ...(body.ref === undefined ? {} : { ref: body.ref }),
    destinations: plan.destinations.map((destination, index) => {
      try {
        return { to: destination.to, draft: draftOne(plan, destination, index) }
      } catch (error) {
        if (error instanceof Problem) return { to: destination.to, problem: error }
        throw error
      }
    }),
  }
}

/** A schema lets lists and names with line breaks slip through. */
function checkWords(words: unknown, path: string, refuse: Refuse): void {
  if (words === undefined) return
  if (Array.isArray(words) || !Object.values(words as object).every((word) => typeof word === 'string')) {
    refuse(invalidField('A300', path, 'an object of words is wanted'), path)
  }
}

function checkPaymentCode(code: string, refuse: Refuse): void {
  if (code.length > maxPaymentCode)
    refuse(invalidField('A310', 'paymentCode', `${code.length} characters, at most ${maxPaymentCode}`))
  checkCharacters('A310', 'paymentCode', code, refuse)
}

/** One step for each entry of the plan. */
export function draftOne(
  { entries, shared }: OmniPlan,
  { to, replaceWords = {} }: Destination,
  index: number,
  refuse: Refuse = throwProblem,
): Draft {
  if (!isRecipient(to))
    refuse(invalidField('A306', `destinations[${index}].to`, 'digits of a domestic number are wanted'))
  const steps = entries.map(({ channel, shape, content, varies, at }): Step => {
    if (!varies) return channel.step(content, at, refuse)
    const filled = fillIn(content, replaceWords, at.slice(0, -1), refuse)
    // Once more: a word may have made a field longer than its schema allows.
    return channel.step(shape.check(filled, at, refuse) ?? content, at, refuse)
  })
  return { to, ...shared, steps }
}
