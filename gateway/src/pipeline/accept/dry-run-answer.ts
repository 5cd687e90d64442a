/** The answer of a dry run: the outcome for each destination, and every problem at once. Not part of the contract, so it has numbers. */
import { Type, type Static } from 'typebox'
import { answerWith, resultCode } from '../../contract/answer.ts'
import { FieldProblem, type Problem } from '../../contract/problem.ts'
import type { ResultCode } from '../../contract/result-codes.ts'
import type { RuleEffect } from '../../trust/rule-group.ts'

const closed = { additionalProperties: false } as const
const orNull = <T extends Type.TSchema>(schema: T, description: string) =>
  Type.Union([schema, Type.Null()], { description })

export const DryRunProblem = Type.Object(
  {
    code: resultCode('Result code that the send would answer'),
    field: Type.String({ description: 'Path of the field; empty when it is the request as a whole' }),
    reason: Type.String({ description: 'What is wrong with it' }),
  },
  { ...closed, description: 'A problem' },
)

export const DryRunStep = Type.Object(
  {
    step: Type.Integer({ description: 'Its place in the flow, from 1; the fallback of a simple send is 2' }),
    channel: Type.String({ description: 'Channel of the step' }),
    msgType: Type.String({ description: 'Message type, as reports will name it' }),
    hasRoute: orNull(
      Type.Boolean(),
      'Whether a route serves it for this account and recipient; null when that is not known now',
    ),
    encoding: orNull(Type.String(), 'gsm7, ucs2 or cp949; null where the carrier decides'),
    bytes: orNull(Type.Integer(), 'Bytes of the text; null where the channel does not count bytes'),
    characters: Type.Integer({ description: 'Characters of the text, in UTF-16 units, as it would be sent' }),
    parts: Type.Integer({ description: 'Parts that would be sent and billed' }),
    deadlineSeconds: Type.Integer({ description: 'Seconds after which the step counts as failed' }),
  },
  { ...closed, description: 'A step as it would be sent' },
)

export const DryRunEffect = Type.Object(
  {
    rule: Type.String({ description: 'Rule of trust, as docs/trust.md names it' }),
    effect: Type.Union([Type.Literal('held'), Type.Literal('delayed'), Type.Literal('skipped')], {
      description:
        'held: the message waits until an operator decides. delayed: the step waits until notBefore. skipped: the step ends without being sent, and the next one is tried at once',
    }),
    step: orNull(Type.Integer(), 'Its place in the flow, from 1; null: the whole message'),
    notBefore: orNull(
      Type.String({ format: 'date-time' }),
      'When a delayed step may be sent; null for other effects',
    ),
    reason: Type.String({ description: 'What the rule demands' }),
  },
  { ...closed, description: 'What a rule will do with the accepted message' },
)

export const DryRunDestination = Type.Object(
  {
    to: Type.String({
      description: 'Recipient; a Korean number of an international send in its domestic form',
    }),
    code: resultCode('A000 when this destination would be accepted, else its first problem'),
    result: Type.String({ description: 'Description of the result' }),
    steps: Type.Array(DryRunStep, { description: 'Steps in order, without those that cannot be read' }),
    ruleEffects: Type.Array(DryRunEffect, {
      description:
        'What rules will hold, delay or skip, as far as it is known now; empty when it would be sent as it is, or not be accepted',
    }),
    problems: Type.Array(DryRunProblem, { description: 'All problems of this destination' }),
  },
  { ...closed, description: 'What would become of one destination' },
)

export const DryRunAnswer = answerWith(
  {
    destinations: Type.Array(DryRunDestination, { description: 'In the order of the request' }),
    problems: Type.Array(DryRunProblem, { description: 'Problems of the request as a whole' }),
    omittedProblems: Type.Integer({ description: 'How many more problems there are than are listed' }),
  },
  'What a send of this request would do',
)
export type DryRunAnswer = Static<typeof DryRunAnswer>

/** A reason quotes the value found, which may be the whole body. */
const maxReason = 300

export function describeProblem(problem: Problem): Static<typeof DryRunProblem> {
  const { code } = problem
  if (!(problem instanceof FieldProblem)) return { code, field: '', reason: cut(problem.message) }
  return { code, field: cut(problem.field), reason: cut(problem.reason) }
}

export function describeEffect({
  rule,
  effect,
  step,
  notBefore,
  reason,
}: RuleEffect): Static<typeof DryRunEffect> {
  return {
    ...{ rule, effect, step: step === null ? null : step + 1 },
    notBefore: notBefore === null ? null : new Date(notBefore).toISOString(),
    reason,
  }
}

/** A000 while there is no problem. */
export function resultOf(problem: Problem | undefined): { code: ResultCode; result: string } {
  if (problem === undefined) return { code: 'A000', result: 'Success' }
  return { code: problem.code, result: cut(problem.message) }
}

function cut(text: string): string {
  return text.length <= maxReason ? text : `${text.slice(0, maxReason)}…`
}
