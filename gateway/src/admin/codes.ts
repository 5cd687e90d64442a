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
    cause:
      'The operator key is missing, unknown, revoked or past its end, or its operator is disabled; or the session of the browser has ended.',
    action:
      'Send Authorization: Bearer <key>; an admin makes a key with `postern operator key add`. In a browser, sign in.',
  },
  'wrong-sign-in': {
    status: 401,
    cause: 'The name, the password or the code is wrong, or the code was used before.',
    action:
      'Try again with the next code of the authenticator app, or a recovery code. An admin resets a password with `postern operator password`, and a second factor with `postern operator totp reset`.',
  },
  'first-key': {
    status: 403,
    cause: 'The key was made by somebody else, and its operator has not replaced it.',
    action: 'Replace it with `postern operator key rotate`, and use the new key.',
  },
  'cross-site': {
    status: 403,
    cause: 'A browser sent the request for a page of another site.',
    action:
      'Use the console of this server. Behind a proxy, set POSTERN_ADMIN_URL to the address in the browser.',
  },
  'no-role': {
    status: 403,
    cause: 'The sign-in provider knows the person, and gives no role for this gateway.',
    action:
      'Ask an admin to add you to a group that POSTERN_ADMIN_OIDC_ROLES maps to a role, then sign in again.',
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
  repeated: {
    status: 409,
    cause: 'A request with the same Idempotency-Key was done before, or is in progress.',
    action:
      'See what was done: in the row of the audit log, where the result names one. Use another key for another act.',
  },
  stale: {
    status: 412,
    cause: 'What is to be replaced has changed since it was read.',
    action: 'Read it again, and send what it has now: its version as If-Match, or its `updatedAt`.',
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
