/**
 * Error codes of the admin API with HTTP status, title and next step, for the server and the OpenAPI
 * document. The texts are for every interface: they name no command and no option.
 */

interface Row {
  readonly status: number
  readonly title: string
  readonly action: string
}

export const adminCodes = {
  'invalid-request': {
    status: 400,
    title: 'A parameter, a header or a field of the body is unknown, missing or not allowed.',
    action: 'Correct what `detail` and `field` name.',
  },
  'reason-missing': {
    status: 400,
    title: 'The operation requires a reason.',
    action: 'Send `reason`: in the body, or as a query parameter of GET and DELETE.',
  },
  unauthenticated: {
    status: 401,
    title:
      'The operator key is missing, unknown, revoked or expired, or its operator is disabled; or the browser session has expired.',
    action: 'Send `Authorization: Bearer <key>` with a key that an admin has created. In a browser, sign in.',
  },
  'wrong-sign-in': {
    status: 401,
    title: 'The name, the password or the code is wrong, or the code was used before.',
    action:
      'Try again with the next code of the authenticator app, or a recovery code. An admin can reset the password and the second factor.',
  },
  'first-key': {
    status: 403,
    title: 'Another operator created the key, and its operator has not replaced it.',
    action: 'Replace the key, and use the new one.',
  },
  'cross-site': {
    status: 403,
    title: 'A browser sent the request for a page of another site.',
    action:
      'Use the console of this server. Behind a proxy, set POSTERN_ADMIN_URL to the address in the browser.',
  },
  'no-role': {
    status: 403,
    title: 'The sign-in provider knows the person, but assigns no role for this gateway.',
    action:
      'Ask an admin to add you to a group that POSTERN_ADMIN_OIDC_ROLES maps to a role, then sign in again.',
  },
  forbidden: {
    status: 403,
    title: 'The role of the operator does not have the right that the operation needs.',
    action: 'Ask an operator with one of the roles in `facts`.',
  },
  'not-found': {
    status: 404,
    title: 'The path does not exist, or nothing has this ID.',
    action: 'List what exists, or see GET /admin/v1/openapi.json for the paths.',
  },
  refused: {
    status: 409,
    title: 'The operation is not possible in the current state.',
    action: 'Follow the instructions in `detail`, then retry.',
  },
  'already-exists': {
    status: 409,
    title: 'The ID or name is already in use.',
    action: 'Choose another one for `field`.',
  },
  'account-blocked': {
    status: 409,
    title: 'The account is blocked.',
    action: 'Ask the gateway operator to unblock it, then retry.',
  },
  'smpp-disabled': {
    status: 409,
    title: 'The account is not allowed to use SMPP.',
    action: 'Set `smppBinds` of the account to 1 or more first.',
  },
  'key-in-use': {
    status: 409,
    title: 'The operator already has a valid key.',
    action: 'Let the operator replace it. Send `replace` to revoke a lost key.',
  },
  'overlap-running': {
    status: 409,
    title: 'The previous credential still works.',
    action: 'Wait until the time in `facts`, or send `force` to end it now.',
  },
  'second-operator-needed': {
    status: 409,
    title: 'The operation requires a second operator.',
    action: 'Ask another operator with the right in `facts`.',
  },
  repeated: {
    status: 409,
    title: 'A request with the same Idempotency-Key was done before, or is in progress.',
    action: 'Read what it changed. Use a new key for another request.',
  },
  stale: {
    status: 412,
    title: 'The object to replace has changed since it was read.',
    action: 'Read it again, and send its current version as If-Match, or its current `updatedAt`.',
  },
  'too-many-requests': {
    status: 429,
    title: 'Too many requests of this address, operator or account were refused or made, or are in progress.',
    action: 'Retry after `retryAfterSeconds`.',
  },
  unavailable: {
    status: 503,
    title: 'PostgreSQL, RabbitMQ or another service is unavailable or busy.',
    action: 'Retry after `retryAfterSeconds`; narrow a search that takes too long.',
  },
  internal: {
    status: 500,
    title: 'The gateway failed internally.',
    action: 'See the log of the process, and report it as a bug.',
  },
} as const satisfies Readonly<Record<string, Row>>

export type AdminCode = keyof typeof adminCodes
