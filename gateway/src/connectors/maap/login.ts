/** The login at one host: its request, and what the answer means. Called for the access token of `host.ts`. */
import { readTokenText, type LoginResult, type NoToken } from '../access-token.ts'
import type { HttpClient } from '../http-client.ts'
import { fieldsOf } from '../json.ts'
import { meaningOf, type CodeOverrides } from '../rcs-codes.ts'
import { readAnswer, type Answer } from './answer.ts'

export interface LoginSettings {
  readonly url: string
  readonly login: Readonly<Record<string, string>>
  readonly codes: CodeOverrides
}

export async function logIn(client: HttpClient, { url, login, codes }: LoginSettings): Promise<LoginResult> {
  const result = await client.send({
    method: 'POST',
    url,
    headers: { 'content-type': 'application/json; charset=utf-8', accept: 'application/json' },
    body: JSON.stringify({ ...login, grantType: 'clientCredentials' }),
  })
  if (result.kind !== 'answer') return { kind: 'no-token', code: `maap:${result.code}`, isAccount: false }
  const answer = readAnswer(result)
  const issued = readToken(answer)
  if (issued === null) return problemOf(answer, codes)
  return { kind: 'token', authorization: `Bearer ${issued.token}`, lifetimeMs: issued.lifetimeMs }
}

function problemOf({ httpStatus, code, retryAfterMs }: Answer, codes: CodeOverrides): NoToken {
  const meaning = meaningOf(code, codes)
  const isAccount =
    meaning === 'account' || meaning === 'token' || [400, 401, 403, 404, 405].includes(httpStatus)
  return { kind: 'no-token', code: code === '' ? `http:${httpStatus}` : code, isAccount, retryAfterMs }
}

/** Null when the answer has no token that can be sent. */
export function readToken({
  isSuccess,
  data,
}: Answer): { readonly token: string; readonly lifetimeMs: number | null } | null {
  const { accessToken, expiresIn } = fieldsOf(data['tokenInfo'])
  const token = readTokenText(accessToken)
  return isSuccess && token !== null ? { token, lifetimeMs: lifetimeOf(expiresIn) } : null
}

/** Seconds, as a text or a number. */
function lifetimeOf(expiresIn: unknown): number | null {
  const text = typeof expiresIn === 'number' ? String(expiresIn) : expiresIn
  if (typeof text !== 'string' || !/^\d{1,9}$/.test(text) || Number(text) === 0) return null
  return Number(text) * 1_000
}
