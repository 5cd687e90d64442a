/**
 * Shares error responses that are the same in most operations as named components. A 400 lists the codes of
 * its operation, so it stays inline, as do responses that only one operation has.
 */
import type { ResultCodeEntry } from '../../../contract/result-codes.ts'
import { codesByStatus } from './codes.ts'
import { responseExamples, toHeaders, withDryRun, rateHeaders } from './document-operation.ts'
import type { Operation } from './operation.ts'
import { dryRun, idempotencyKey, type ResponseHeaderName } from './parameters.ts'
import { ref } from './ref.ts'

export const errorTypes: Readonly<Record<string, { readonly name: string; readonly text: string }>> = {
  400: { name: 'BadRequest', text: 'The request is invalid; the result states what to correct' },
  401: { name: 'Unauthorized', text: 'The token or the credentials are invalid' },
  403: { name: 'Forbidden', text: 'The account is not allowed to do this' },
  404: { name: 'NotFound', text: 'Not found: the path, which may lack a parameter, or what it names' },
  415: { name: 'UnsupportedMediaType', text: 'The content type must be application/json' },
  429: { name: 'TooManyRequests', text: 'Too many requests; retry after the seconds in Retry-After' },
  500: { name: 'InternalError', text: 'Internal error of the gateway' },
  503: { name: 'Unavailable', text: 'Temporarily unavailable; retry after the seconds in Retry-After' },
}

export function errorType(status: string): { readonly name: string; readonly text: string } {
  const type = errorTypes[status]
  if (type === undefined) throw new Error(`status ${status} has no name`)
  return type
}

/** A send whose publisher confirm is late may be accepted, so a plain retry could send it twice. */
const unavailableSend =
  'Temporarily unavailable; retry after the seconds in Retry-After. Unless Message-Accepted is no, retry only with the same Idempotency-Key, because without one the message may be sent twice'

export interface ErrorResponses {
  /** Shared responses by name. */
  readonly components: Readonly<Record<string, object>>
  /** Returns the error responses of an operation by status, as references where they are shared. */
  readonly forOperation: (operation: Operation) => [status: string, response: object][]
}

export function shareErrorResponses(operations: readonly Operation[]): ErrorResponses {
  const uses = new Map<string, Map<string, number>>()
  for (const { name, text } of operations.flatMap(describeErrors)) {
    const counts = uses.get(name) ?? new Map<string, number>()
    uses.set(name, counts.set(text, (counts.get(text) ?? 0) + 1))
  }
  const shared = new Map<string, string>()
  for (const [name, counts] of uses) {
    const [text, count] = [...counts].reduce((most, next) => (next[1] > most[1] ? next : most))
    if (count > 1 && !name.endsWith(errorType('400').name)) shared.set(name, text)
  }
  return {
    components: Object.fromEntries([...shared].map(([name, text]) => [name, JSON.parse(text) as object])),
    forOperation: (operation) =>
      describeErrors(operation).map(({ status, name, text, response }) => [
        status,
        shared.get(name) === text ? { $ref: `#/components/responses/${name}` } : response,
      ]),
  }
}

function describeErrors(operation: Operation) {
  // Sends have another response for dry runs, so their errors have separate names.
  const prefix = operation.parameters?.includes(dryRun) === true ? 'Send' : ''
  return [...codesByStatus(operation)].map(([code, entries]) => {
    const status = String(code)
    const response = toError(operation, status, entries)
    return { status, response, name: prefix + errorType(status).name, text: JSON.stringify(response) }
  })
}

function toError(operation: Operation, status: string, entries: readonly ResultCodeEntry[]): object {
  const isSend = operation.parameters?.includes(idempotencyKey) === true
  const text = status === '503' && isSend ? unavailableSend : errorType(status).text
  const codes = entries.map(({ code }) => code)
  const hasRetryAfter = status === '429' || status === '503'
  const headers: ResponseHeaderName[] = [
    'RequestId',
    ...(isSend ? (['MessageAccepted'] as const) : []),
    ...(hasRetryAfter ? (['RetryAfter'] as const) : []),
    ...(status === '429' ? (['RateLimitReason'] as const) : []),
    ...(status === '429' && !operation.open ? rateHeaders : []),
  ]
  return {
    description: `${text}. Codes: ${codes.join(', ')}`,
    ...toHeaders(headers),
    content: {
      'application/json': {
        schema: {
          allOf: [withDryRun(operation, ref('ErrorResponse')), { properties: { code: { enum: codes } } }],
        },
        ...responseExamples(operation.examples, Number(status)),
      },
    },
  }
}
