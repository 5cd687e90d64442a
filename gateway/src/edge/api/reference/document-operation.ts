/** Converts an operation to the form of the OpenAPI document. */
import type { ResultCodeEntry } from '../../../contract/result-codes.ts'
import type { Example, Operation, OperationParameter } from './operation.ts'
import { responseHeaders, dryRun, idempotencyKey, type ResponseHeaderName } from './parameters.ts'
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
    ...contractExtension(beyondContract),
    ...(parameters === undefined ? {} : { parameters: parameters.map(toParameter) }),
    ...(body === undefined ? {} : { requestBody: toRequestBody(operation) }),
    responses: Object.fromEntries([['200', toSuccess(operation)], ...errors]) as object,
  }
}

function contractExtension(reason: string | undefined): object {
  return reason === undefined ? {} : { 'x-beyond-contract': reason }
}

function toParameter({ beyondContract, ...parameter }: OperationParameter): object {
  return { ...parameter, ...contractExtension(beyondContract) }
}

function toRequestBody({ body, examples }: Operation): object {
  const { contentType, schema, description, also = {} } = body!
  const withBody = examples.filter((example) => typeof example.body === 'object' && example.status === 200)
  return {
    required: true,
    description,
    content: {
      [contentType]: {
        schema,
        ...(withBody.length === 0 ? {} : { examples: toExamples(withBody, ({ body: sent }) => sent!) }),
      },
      ...otherFormats(also),
    },
  }
}

function toExamples(examples: readonly Example[], getValue: (example: Example) => unknown): object {
  return Object.fromEntries(
    examples.map((example) => [example.name, { summary: example.summary, value: getValue(example) }]),
  )
}

function toSuccess(operation: Operation): object {
  const { response, links, examples, open, parameters = [] } = operation
  const replayable = parameters.includes(idempotencyKey)
  const headers = toHeaders([
    'RequestId',
    ...(open ? [] : rateHeaders),
    ...(replayable ? (['IdempotencyReplayed'] as const) : []),
  ])
  return {
    description: response.description,
    ...headers,
    content:
      'files' in response
        ? Object.fromEntries(
            response.files.map((type) => [type, { schema: { type: 'string', format: 'binary' } }]),
          )
        : {
            'application/json': {
              schema: withDryRun(operation, response.schema),
              ...responseExamples(examples, 200),
            },
            ...otherFormats(response.also ?? {}),
          },
    ...(links === undefined ? {} : { links }),
  }
}

function otherFormats(forms: Readonly<Record<string, string>>): object {
  return Object.fromEntries(
    Object.entries(forms).map(([type, description]) => [type, { schema: { type: 'string', description } }]),
  )
}

/** Adds the response of a dry run, whose shape differs from that of a send for successes and for errors. */
export function withDryRun({ parameters = [] }: Operation, schema: object): object {
  return parameters.includes(dryRun) ? { anyOf: [schema, ref('DryRunResponse')] } : schema
}

export const rateHeaders: readonly ResponseHeaderName[] = [
  'RateLimitLimit',
  'RateLimitRemaining',
  'RateLimitReset',
]

export function toHeaders(keys: readonly ResponseHeaderName[]): object {
  if (keys.length === 0) return {}
  const entries = keys.map((key) => [responseHeaders[key].name, { $ref: `#/components/headers/${key}` }])
  return { headers: Object.fromEntries(entries) as object }
}

export function responseExamples(examples: readonly Example[], status: number): object {
  const matching = examples.filter((example) => example.status === status)
  return matching.length === 0 ? {} : { examples: toExamples(matching, ({ response }) => response) }
}

export function toCodeFields({ status, result, cause, action }: ResultCodeEntry): object {
  return { status, result, cause, action }
}
