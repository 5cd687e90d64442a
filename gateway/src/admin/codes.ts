/**
 * Every result code of the admin API: its HTTP status, why it is answered and what to do next. The server and the OpenAPI document
 * are made from this table.
 */
interface Row {
  readonly status: number
  readonly cause: string
  readonly action: string
}

export const adminCodes = {
  success: { status: 200, cause: 'The request was done.', action: 'Nothing.' },
  'invalid-request': {
    status: 400,
    cause: 'A parameter or a field of the body is unknown, missing or not allowed.',
    action: 'Correct what the result names.',
  },
  'reason-missing': {
    status: 400,
    cause: 'The act is recorded with why it is done, and no reason was given.',
    action: 'Send the reason: in the body, or as a query parameter of GET and DELETE.',
  },
  unauthenticated: {
    status: 401,
    cause: 'The operator key is missing, unknown, revoked or past its end, or its operator is disabled.',
    action: 'Send Authorization: Bearer <key>. An admin makes a key with `postern operator key add`.',
  },
  'first-key': {
    status: 403,
    cause: 'The key was made by somebody else, and its operator has not replaced it.',
    action: 'Replace it with `postern operator key rotate`, and use the new key.',
  },
  forbidden: {
    status: 403,
    cause: 'The role of the operator does not have the right that the operation needs.',
    action: 'Ask an operator with one of the roles that the result names.',
  },
  'not-found': {
    status: 404,
    cause: 'There is no such path, or nothing with this id.',
    action: 'List what exists, or see GET /admin/v1/openapi.json for the paths.',
  },
  refused: {
    status: 409,
    cause: 'The act is not possible as things are.',
    action: 'Do what the result says, then repeat the request.',
  },
  'too-many-requests': {
    status: 429,
    cause: 'Too many requests of this address or operator were refused, or too many are in progress.',
    action: 'Repeat the request after the seconds in Retry-After.',
  },
  unavailable: {
    status: 503,
    cause: 'PostgreSQL or RabbitMQ is unavailable, or a query took longer than it may.',
    action: 'Repeat the request after the seconds in Retry-After; narrow a search that takes too long.',
  },
  internal: {
    status: 500,
    cause: 'The gateway failed internally.',
    action: 'See the log of the process, and report it as a bug.',
  },
} as const satisfies Readonly<Record<string, Row>>

export type AdminCode = keyof typeof adminCodes
