/** One operation in OpenAPI: parameters, body and responses. */
import type { ResultCodeEntry } from '../../contract/result-codes.ts'
import type { Example, Operation, Parameter } from './operation.ts'
import { answerHeaders, dryRun, idempotencyKey, type AnswerHeaderName } from './parameters.ts'
import { ref } from './ref.ts'

export function toOperation(
  operation: Operation,
  errors: readonly (readonly [status: string, response: object])[],
): object {
  const { id, tag, summary, description, open, parameters, body, beyondContract } = operation
  return {
    operationId: id,
    tags: [tag],
    summary,
    description,
    ...(open ? { security: [] } : {}),
    ...beyond(beyondContract),
    ...(parameters === undefined ? {} : { parameters: parameters.map(toParameter) }),
    ...(body === undefined ? {} : { requestBody: toRequestBody(operation) }),
    responses: Object.fromEntries([['200', toSuccess(operation)], ...errors]) as object,
  }
}

function beyond(what: string | undefined): object {
  return what === undefined ? {} : { 'x-beyond-contract': what }
}

function toParameter({ beyondContract, ...parameter }: Parameter): object {
  return { ...parameter, ...beyond(beyondContract) }
}

function toRequestBody({ body, examples }: Operation): object {
  const { contentType, schema, description } = body!
  const shown = examples.filter((example) => example.body !== undefined && example.status === 200)
  return {
    required: true,
    description,
    content: {
      [contentType]: {
        schema,
        ...(shown.length === 0 ? {} : { examples: toExamples(shown, ({ body: sent }) => sent!) }),
      },
    },
  }
}

function toExamples(examples: readonly Example[], valueOf: (example: Example) => object): object {
  return Object.fromEntries(
    examples.map((example) => [example.name, { summary: example.summary, value: valueOf(example) }]),
  )
}

function toSuccess(operation: Operation): object {
  const { answer, links, examples, open, parameters = [] } = operation
  const replayable = parameters.includes(idempotencyKey)
  const headers = headersNamed([
    'RequestId',
    ...(open ? [] : rateHeaders),
    ...(replayable ? (['IdempotencyReplayed'] as const) : []),
  ])
  return {
    description: answer.description,
    ...headers,
    content:
      'images' in answer
        ? Object.fromEntries(
            answer.images.map((type) => [type, { schema: { type: 'string', format: 'binary' } }]),
          )
        : {
            'application/json': {
              schema: orDryRun(operation, answer.schema),
              ...answerExamples(examples, 200),
            },
            ...otherFormats(answer.also ?? {}),
          },
    ...(links === undefined ? {} : { links }),
  }
}

function otherFormats(forms: Readonly<Record<string, string>>): object {
  return Object.fromEntries(
    Object.entries(forms).map(([type, description]) => [type, { schema: { type: 'string', description } }]),
  )
}

/** A dry run has its own response, whatever it finds. */
export function orDryRun({ parameters = [] }: Operation, schema: object): object {
  return parameters.includes(dryRun) ? { anyOf: [schema, ref('DryRunAnswer')] } : schema
}

export const rateHeaders: readonly AnswerHeaderName[] = [
  'RateLimitLimit',
  'RateLimitRemaining',
  'RateLimitReset',
]

export function headersNamed(keys: readonly AnswerHeaderName[]): object {
  if (keys.length === 0) return {}
  const entries = keys.map((key) => [answerHeaders[key].name, { $ref: `#/components/headers/${key}` }])
  return { headers: Object.fromEntries(entries) as object }
}

export function answerExamples(examples: readonly Example[], status: number): object {
  const shown = examples.filter((example) => example.status === status)
  return shown.length === 0 ? {} : { examples: toExamples(shown, ({ answer }) => answer) }
}

export function fieldsOf({ status, result, cause, action }: ResultCodeEntry): object {
  return { status, result, cause, action }
}
