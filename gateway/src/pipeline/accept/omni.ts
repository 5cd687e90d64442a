/**
 * Reads POST /v1/send/omni: a flow of messages in the order of fallback, to up to ten destinations. An error
 * in the request rejects all of it; an error in one destination rejects only that destination.
 */
import { Type, type Static } from 'typebox'
import type { Draft, Step } from '../../channels/channel.ts'
import { checkCharacters, checkRef, readRecipient, recipientDescription } from '../../channels/fields.ts'
import { Issues, requireValid, type CheckOptions } from '../../channels/issues.ts'
import { capTtl, readTtl } from '../../channels/ttl.ts'
import { FieldProblem, invalidField, Problem } from '../../contract/problem.ts'
import type { FieldCodes } from '../../contract/result-codes.ts'
import { parseFlow, type FlowStepEntry } from './flow.ts'
import { Filler } from './placeholders.ts'
import { createShape } from './shape.ts'

export const maxDestinations = 10
const maxPaymentCode = 20

export const OmniBody = Type.Object(
  {
    destinations: Type.Array(
      Type.Object(
        {
          to: Type.String({ description: recipientDescription }),
          replaceWords: Type.Optional(
            Type.Record(Type.String(), Type.String(), {
              description:
                'Values for the placeholders #{key}; numbers and booleans are converted to strings',
            }),
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
      Type.String({ minLength: 1, description: 'Id of a registered form, instead of messageFlow' }),
    ),
    paymentCode: Type.Optional(
      Type.String({ maxLength: maxPaymentCode, description: 'Billing department code' }),
    ),
    ref: Type.Optional(Type.String({ description: 'Reference of the client, returned in reports' })),
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

export type DestinationDraft = { readonly to: string } & (
  | { readonly draft: Draft }
  | { readonly problem: Problem }
)

/** Returns null after an issue that ends the checks. A request has either a flow or the id of a form. */
export function readOmni(candidate: unknown, issues: Issues): OmniRequest | null {
  const request = bodyShape.check(candidate, '', issues) as OmniRequest | null
  if (request === null) return null
  if ((request.messageFlow === undefined) === (request.messageForm === undefined)) {
    issues.add(invalidField('A300', 'messageFlow', 'exactly one of messageFlow and messageForm is required'))
  }
  return request
}

/** Parts of a request that all its destinations share. */
export interface OmniPlan {
  readonly entries: readonly FlowStepEntry[]
  /** Checked steps of entries without placeholders, which are the same for every destination. */
  readonly sharedSteps: Map<FlowStepEntry, Step>
  readonly destinations: readonly Destination[]
  readonly shared: Pick<Draft, 'ref' | 'paymentCode' | 'sendAt'>
}

/** Plans an omni send; `form` is the stored flow of the form that the request names. */
export function planOmni(
  body: OmniRequest,
  form: unknown,
  sendAt: Date | undefined,
  issues: Issues,
): OmniPlan {
  const { ref, paymentCode } = body
  if (body.destinations.length > maxDestinations) {
    const reason = `must be at most ${maxDestinations}, found ${body.destinations.length}`
    issues.add(new FieldProblem('A318', `Too many destinations: ${reason}`, 'destinations', reason))
  }
  const destinations = body.destinations.slice(0, maxDestinations)
  for (const [index, { replaceWords }] of destinations.entries()) {
    if (replaceWords === undefined || areStrings(replaceWords)) continue
    const path = `destinations[${index}].replaceWords`
    issues.add(invalidField('A300', path, 'must be an object whose values are strings'), path)
  }
  checkRef(ref, issues)
  if (paymentCode !== undefined) checkPaymentCode(paymentCode, issues)
  const [field, flow] = form === undefined ? ['messageFlow', body.messageFlow] : ['messageForm', form]
  const entries = flow === undefined ? [] : parseFlow(flow, field, issues)
  return {
    entries,
    sharedSteps: new Map(),
    destinations,
    shared: {
      ...(ref !== undefined && { ref }),
      ...(paymentCode !== undefined && { paymentCode }),
      ...(sendAt && { sendAt: sendAt.getTime() }),
    },
  }
}

export function draftOmni(
  body: OmniRequest,
  form?: unknown,
  sendAt?: Date,
  options?: Pick<CheckOptions, 'smartEncoding'>,
): DestinationDraft[] {
  const plan = requireValid((issues) => planOmni(body, form, sendAt, issues))
  return plan.destinations.map((destination, index) => {
    const { to } = destination
    const issues = new Issues('first', options)
    const draft = draftOne(plan, destination, index, issues)
    return issues.first === undefined ? { to, draft } : { to, problem: issues.first }
  })
}

/** Rejects what the schema accepts: arrays, and any value under a name with a line break. */
export function areStrings(values: object): boolean {
  for (const name in values) if (typeof (values as Record<string, unknown>)[name] !== 'string') return false
  return !Array.isArray(values)
}

function checkPaymentCode(code: string, issues: Issues): void {
  if (code.length > maxPaymentCode)
    issues.add(
      invalidField(
        'A310',
        'paymentCode',
        `must be at most ${maxPaymentCode} characters, found ${code.length}`,
      ),
    )
  checkCharacters('A310', 'paymentCode', code, issues)
}

/** Creates one step for each entry of the plan, unless an issue ends the checks. */
export function draftOne(
  { entries, sharedSteps, shared }: OmniPlan,
  { to: given, replaceWords = {} }: Destination,
  index: number,
  issues: Issues,
): Draft {
  const to = readRecipient(given, `destinations[${index}].to`, issues)
  const filler = new Filler(replaceWords, issues)
  const steps: Step[] = []
  for (const entry of entries) {
    const cached = sharedSteps.get(entry)
    const isShared = entry.placeholders.count === 0
    const content = isShared ? entry.content : fillEntry(entry, filler, issues)
    if (issues.isSettled()) break
    const step = cached ?? toStep(entry, content, issues)
    // A step with an issue is checked for each destination, because each has its own list of issues.
    if (isShared && issues.first === undefined) sharedSteps.set(entry, step)
    steps.push(step)
  }
  return { to, ...shared, steps }
}

function toStep({ channel, at }: FlowStepEntry, entry: { readonly ttl?: string }, issues: Issues): Step {
  const { ttl, ...content } = entry
  return capTtl(channel.step(content, at, issues), readTtl(ttl, at, issues))
}

function fillEntry(entry: FlowStepEntry, filler: Filler, issues: Issues): object {
  const { content, placeholders, shape, at } = entry
  const tooLong = (path: string, reason: string) => shape.tooLong(path, reason, at)
  const filled = filler.fill(content, placeholders.texts, at, tooLong)
  if (issues.isSettled()) return content
  // Check again: a value may have made a field longer than its schema allows.
  return (shape.check(filled, at, issues) as object | null) ?? content
}
