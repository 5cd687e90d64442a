/** Logs in with the service account, for the access token of `connector.ts`. */
import { clock } from '../../../platform/time/clock.ts'
import { readTokenText, type LoginResult } from '../http/access-token.ts'
import type { HttpClient } from '../http/http-client.ts'
import { parseObject, readString } from '../http/json.ts'
import { tokenRequest, type ServiceAccount } from './service-account.ts'

export async function logInToGoogle(http: HttpClient, account: ServiceAccount): Promise<LoginResult> {
  let body: string
  try {
    body = tokenRequest(account, clock.now())
  } catch {
    return { kind: 'no-token', code: 'rbm:token-key', isLoginRefused: true }
  }
  const result = await http.send({
    method: 'POST',
    url: account.tokenUrl,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body,
  })
  if (result.kind !== 'answer')
    return { kind: 'no-token', code: `rbm:token-${result.code}`, isLoginRefused: false }
  const read = parseTokenResponse(result.status, result.body)
  return read.kind === 'token' ? read : { ...read, retryAfterMs: result.retryAfterMs }
}

export function parseTokenResponse(status: number, body: Buffer): LoginResult {
  const { access_token: given, expires_in: expiresIn, error } = parseObject(body.toString()) ?? {}
  const token = readTokenText(given)
  if (status === 200 && token !== null)
    return { kind: 'token', authorization: `Bearer ${token}`, lifetimeMs: toLifetime(expiresIn) }
  const reason = readString(error)
  const code = /^[a-z_]{1,32}$/.test(reason) ? reason : String(status)
  return {
    kind: 'no-token',
    code: `rbm:token-${code}`,
    isLoginRefused: status >= 300 && status < 500 && status !== 429,
  }
}

function toLifetime(expiresIn: unknown): number | null {
  return typeof expiresIn === 'number' && expiresIn > 0 ? expiresIn * 1000 : null
}
