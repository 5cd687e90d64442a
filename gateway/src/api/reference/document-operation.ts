/** One operation in OpenAPI: parameters, body, the success response and every error response. */
import type { ResultCodeEntry } from '../../contract/result-codes.ts'
import { codesByStatus } from './codes.ts'
import type { Example, Operation, Parameter } from './operation.ts'
import { answerHeaders, dryRun, idempotencyKey, type AnswerHeaderName } from './parameters.ts'
import { ref } from './ref.ts'

export function toOperation(operation: Operation): object {
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
    responses: Object.fromEntries([
      ['200', toSuccess(operation)],
      ...[...codesByStatus(operation)].map(([status, entries]) => [
        String(status),
        toError(operation, status, entries),
      ]),
    ]) as object,
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
function orDryRun({ parameters = [] }: Operation, schema: object): object {
  return parameters.includes(dryRun) ? { anyOf: [schema, ref('DryRunAnswer')] } : schema
}

const rateHeaders: readonly AnswerHeaderName[] = ['RateLimitLimit', 'RateLimitRemaining', 'RateLimitReset']

function headersNamed(keys: readonly AnswerHeaderName[]): object {
  if (keys.length === 0) return {}
  const entries = keys.map((key) => [answerHeaders[key].name, { $ref: `#/components/headers/${key}` }])
  return { headers: Object.fromEntries(entries) as object }
}

function answerExamples(examples: readonly Example[], status: number): object {
  const shown = examples.filter((example) => example.status === status)
  return shown.length === 0 ? {} : { examples: toExamples(shown, ({ answer }) => answer) }
}

const statusTexts: Readonly<Record<number, string>> = {
  400: 'The request is invalid; the result says what to correct',
  401: 'The token or the credentials are invalid',
  403: 'The account is not allowed to do this',
  404: 'No such path; a path parameter may be empty',
  415: 'The content type must be application/json',
  429: 'Too many requests; retry after the seconds in Retry-After',
  500: 'Internal error of the gateway',
  503: 'Temporarily unavailable; retry after the seconds in Retry-After',
}

/** A send whose confirm is late may be accepted, so the general advice to retry would send it twice. */
const unavailableSend =
  'Temporarily unavailable; retry after the seconds in Retry-After. Nothing was accepted, unless the result says "perhaps accepted": then retry only with the same Idempotency-Key, because without one the message may be sent twice'

function statusText({ parameters = [] }: Operation, status: number): string {
  const text = status === 503 && parameters.includes(idempotencyKey) ? unavailableSend : statusTexts[status]
  if (text === undefined) throw new Error(`status ${status} has no description`)
  return text
}

function toError(operation: Operation, status: number, entries: readonly ResultCodeEntry[]): object {
  const waits = status === 429 || status === 503
  const headers: AnswerHeaderName[] = [
    ...(waits ? (['RetryAfter'] as const) : []),
    ...(status === 429 ? (['RateLimitReason'] as const) : []),
    ...(status === 429 && !operation.open ? rateHeaders : []),
  ]
  return {
    description: `${statusText(operation, status)}. Codes: ${entries.map(({ code }) => code).join(', ')}`,
    ...headersNamed(headers),
    content: {
      'application/json': {
        schema: {
          allOf: [
            orDryRun(operation, ref('PlainAnswer')),
            { properties: { code: { enum: entries.map(({ code }) => code) } } },
          ],
        },
        ...answerExamples(operation.examples, status),
      },
    },
  }
}

export function fieldsOf({ status, result, cause, action }: ResultCodeEntry): object {
  return { status, result, cause, action }
}
