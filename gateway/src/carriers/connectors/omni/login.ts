/** Logs in to the account, for the access token of `upstream.ts`. */
import { clock } from '../../../platform/time/clock.ts'
import { readTokenText, type LoginResult } from '../http/access-token.ts'
import { toFields } from '../http/json.ts'
import { getOmniCode, type OmniCallResult } from './response.ts'
import type { OmniOptions } from './options.ts'

export function loginRequest({ headerPrefix, clientId, password }: OmniOptions) {
  return {
    method: 'POST',
    path: '/v1/auth/token',
    headers: { [`x-${headerPrefix}-client-id`]: clientId, [`x-${headerPrefix}-client-passwd`]: password },
    body: '',
  }
}

export function parseOmniLogin(answer: OmniCallResult): LoginResult {
  if (answer.kind !== 'answer') return { kind: 'no-token', code: answer.code, isLoginRefused: false }
  const { token: given, schema, expired } = toFields(answer.body['data'])
  const token = readTokenText(given)
  if (answer.code !== 'A000' || token === null) {
    // A wrong URL or a proxy responds with its own status.
    const isLoginRefused = /^A1\d\d$/.test(answer.code) || [401, 403, 404].includes(answer.status)
    return { kind: 'no-token', code: getOmniCode(answer), isLoginRefused, retryAfterMs: answer.retryAfterMs }
  }
  const scheme = typeof schema === 'string' && /^[A-Za-z]{1,32}$/.test(schema) ? schema : 'Bearer'
  return { kind: 'token', authorization: `${scheme} ${token}`, lifetimeMs: parseLifetime(expired) }
}

function parseLifetime(expired: unknown): number | null {
  const until = typeof expired === 'string' && expired.length < 64 ? Date.parse(expired) : NaN
  const leftMs = until - clock.now()
  return leftMs > 0 ? leftMs : null
}
