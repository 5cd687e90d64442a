/**
 * POST /v1/send/omni: a flow of messages in the order of fallback, to up to ten destinations. What is wrong with the
 * request fails it whole; what is wrong with one destination fails that one, and the others are accepted.
 */
import { Type, type Static } from 'typebox'
import type { Channel, Draft, Step } from '../channels/channel.ts'
import { checkRef } from '../channels/fields.ts'
import { isRecipient } from '../channels/numbers.ts'
import { channels } from '../channels/registry.ts'
import { invalidField, Problem } from '../platform/problem.ts'
import { fillIn, hasPlaceholder } from './placeholders.ts'
import { createShape, type Shape } from './shape.ts'

export const maxDestinations = 10
export const maxSteps = 6

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
    paymentCode: Type.Optional(Type.String({ maxLength: 20, description: 'Billing department code' })),
    ref: Type.Optional(Type.String({ description: 'Reference field, given back in reports' })),
  },
  { additionalProperties: false },
)

export type OmniRequest = Static<typeof OmniBody>
type Destination = OmniRequest['destinations'][number]

const bodyCodes = {
  messageForm: 'A250',
  destinations: 'A306',
  'destinations.to': 'A306',
  'destinations.replaceWords': 'A300',
  paymentCode: 'A310',
  ref: 'A305',
}
const bodyShape = createShape(OmniBody, bodyCodes)
const entryShapes = new Map<string, Shape>(
  Object.values(channels).flatMap((channel) =>
    channel.entry === null ? [] : [[channel.name, createShape(channel.entry, channel.fieldCodes)]],
  ),
)

/** A draft, or what is wrong with this destination. */
export type DestinationDraft = { readonly to: string } & (
  { readonly draft: Draft } | { readonly problem: Problem }
)

/** A request of the right shape, with either a flow or the id of a form. Throws a Problem otherwise. */
export function readOmni(candidate: unknown): OmniRequest {
  bodyShape.check(candidate)
  const request = candidate as OmniRequest
  if ((request.messageFlow === undefined) === (request.messageForm === undefined)) {
    throw invalidField('A300', 'messageFlow', 'either messageFlow or messageForm is wanted')
  }
  return request
}

/** `form` is the stored flow of the form that the request names. */
export function draftOmni(
  body: OmniRequest,
  form?: unknown,
): { readonly ref?: string; readonly destinations: DestinationDraft[] } {
  if (body.destinations.length > maxDestinations) {
    throw new Problem(
      'A318',
      `Too many destinations: ${body.destinations.length}, at most ${maxDestinations}`,
    )
  }
  body.destinations.forEach(({ replaceWords }, index) =>
    checkWords(replaceWords, `destinations[${index}].replaceWords`),
  )
  checkRef(body.ref)
  const entries =
    form === undefined ? readFlow(body.messageFlow, 'messageFlow') : readFlow(form, 'messageForm')
  const ref = body.ref === undefined ? {} : { ref: body.ref }
  return {
    ...ref,
    destinations: body.destinations.map((destination, index) => draftOne(destination, index, entries, ref)),
  }
}

/** A schema lets lists and names with line breaks slip through. */
function checkWords(words: unknown, path: string): void {
  if (words === undefined) return
  if (Array.isArray(words) || !Object.values(words as object).every((word) => typeof word === 'string')) {
    throw invalidField('A300', path, 'an object of words is wanted')
  }
}

/** Shapes only: a form may hold placeholders, so limits are checked when it is sent. */
export function checkFlow(flow: unknown, at: string): void {
  readFlow(flow, at)
}

interface FlowEntry {
  readonly channel: Channel
  readonly shape: Shape
  readonly content: object
  /** Holds a placeholder, so that every destination has a content of its own. */
  readonly varies: boolean
  readonly at: string
}

function readFlow(candidate: unknown, field: string): FlowEntry[] {
  if (!Array.isArray(candidate) || candidate.length === 0)
    throw invalidField('A300', field, 'a list of messages is wanted')
  const flow = candidate as readonly Record<string, unknown>[]
  if (flow.length > maxSteps)
    throw invalidField('A300', field, `${flow.length} messages, at most ${maxSteps}`)
  return flow.map((entry, index) => {
    const [name, ...others] = Object.keys(entry)
    const shape = name === undefined ? undefined : entryShapes.get(name)
    if (name === undefined || others.length > 0 || shape === undefined) {
      throw invalidField(
        'A300',
        `${field}[${index}]`,
        `one of ${[...entryShapes.keys()].join(', ')} is wanted`,
      )
    }
    const at = `${field}[${index}].${name}.`
    shape.check(entry[name], at)
    const content = entry[name] as object
    const channel = channels[name as keyof typeof channels]
    return { channel, shape, content, varies: hasPlaceholder(content), at }
  })
}

function draftOne(
  { to, replaceWords = {} }: Destination,
  index: number,
  entries: readonly FlowEntry[],
  ref: { readonly ref?: string },
): DestinationDraft {
  try {
    if (!isRecipient(to))
      throw invalidField('A306', `destinations[${index}].to`, 'digits of a domestic number are wanted')
    const steps = entries.map(({ channel, shape, content, varies, at }): Step => {
      if (!varies) return channel.step(content, at)
      const filled = fillIn(content, replaceWords, at.slice(0, -1))
      // Once more: a word may have made a field longer than its schema allows.
      shape.check(filled, at)
      return channel.step(filled, at)
    })
    return { to, draft: { to, ...ref, steps } }
  } catch (error) {
    if (error instanceof Problem) return { to, problem: error }
    throw error
  }
}
