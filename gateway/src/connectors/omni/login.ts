/** The login of the account: its request, and what the answer means. Called for the access token of `upstream.ts`. */
import { clock } from '../../platform/clock.ts'
import { readTokenText, type LoginResult } from '../access-token.ts'
import { fieldsOf } from '../json.ts'
import { codeOf, type CallResult } from './answer.ts'
import type { OmniOptions } from './options.ts'

export function loginRequest({ headerPrefix, clientId, password }: OmniOptions) {
  return {
    method: 'POST',
    path: '/v1/auth/token',
    headers: { [`x-${headerPrefix}-client-id`]: clientId, [`x-${headerPrefix}-client-passwd`]: password },
    body: '',
  }
}

/** Pure but for the clock. */
export function readLogin(answer: CallResult): LoginResult {
  if (answer.kind !== 'answer') return { kind: 'no-token', code: answer.code, isAccount: false }
  const { token: given, schema, expired } = fieldsOf(answer.body['data'])
  const token = readTokenText(given)
  if (answer.code !== 'A000' || token === null) {
    // Another address than the API answers with a status of its own.
    const isAccount = /^A1\d\d$/.test(answer.code) || [401, 403, 404].includes(answer.status)
    return { kind: 'no-token', code: codeOf(answer), isAccount, retryAfterMs: answer.retryAfterMs }
  }
  const scheme = typeof schema === 'string' && /^[A-Za-z]{1,32}$/.test(schema) ? schema : 'Bearer'
  return { kind: 'token', authorization: `${scheme} ${token}`, lifetimeMs: lifetimeOf(expired) }
}

function lifetimeOf(expired: unknown): number | null {
  const until = typeof expired === 'string' && expired.length < 64 ? Date.parse(expired) : NaN
  const leftMs = until - clock.now()
  return leftMs > 0 ? leftMs : null
}
