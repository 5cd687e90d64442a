/** Logs in to one host, for the access token of `host.ts`. */
import { readTokenText, type LoginResult, type NoToken } from '../http/access-token.ts'
import type { HttpClient } from '../http/http-client.ts'
import { toFields } from '../http/json.ts'
import { findRcsMeaning, type CodeOverrides } from '../rcs-codes.ts'
import { parseMaapResponse, type MaapResponse } from './response.ts'

export interface LoginSettings {
  readonly url: string
  readonly login: Readonly<Record<string, string>>
  readonly codes: CodeOverrides
}

export async function logInToMaap(
  client: HttpClient,
  { url, login, codes }: LoginSettings,
): Promise<LoginResult> {
  const result = await client.send({
    method: 'POST',
    url,
    headers: { 'content-type': 'application/json; charset=utf-8', accept: 'application/json' },
    body: JSON.stringify({ ...login, grantType: 'clientCredentials' }),
  })
  if (result.kind !== 'answer')
    return { kind: 'no-token', code: `maap:${result.code}`, isLoginRefused: false }
  const answer = parseMaapResponse(result)
  const issued = readToken(answer)
  if (issued === null) return toProblem(answer, codes)
  return { kind: 'token', authorization: `Bearer ${issued.token}`, lifetimeMs: issued.lifetimeMs }
}

function toProblem({ httpStatus, code, retryAfterMs }: MaapResponse, codes: CodeOverrides): NoToken {
  const meaning = findRcsMeaning(code, codes)
  const isLoginRefused =
    meaning === 'account' || meaning === 'token' || [400, 401, 403, 404, 405].includes(httpStatus)
  return { kind: 'no-token', code: code === '' ? `http:${httpStatus}` : code, isLoginRefused, retryAfterMs }
}

/** Returns null if the response has no usable token. */
export function readToken({
  isSuccess,
  data,
}: MaapResponse): { readonly token: string; readonly lifetimeMs: number | null } | null {
  const { accessToken, expiresIn } = toFields(data['tokenInfo'])
  const token = readTokenText(accessToken)
  return isSuccess && token !== null ? { token, lifetimeMs: parseLifetime(expiresIn) } : null
}

/** Parses seconds, given as a string or a number. */
function parseLifetime(expiresIn: unknown): number | null {
  const text = typeof expiresIn === 'number' ? String(expiresIn) : expiresIn
  if (typeof text !== 'string' || !/^\d{1,9}$/.test(text) || Number(text) === 0) return null
  return Number(text) * 1_000
}
