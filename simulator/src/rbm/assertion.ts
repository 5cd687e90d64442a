/**
 * Verifies the assertion of a service account (RFC 7523): RS256, issuer, audience, scope and lifetime.
 * Returns the reason for a refusal, or undefined.
 */
import { verify } from 'node:crypto'
import type { KeyObject } from 'node:crypto'
import { parseFields, toText } from '../shared/json-body.ts'

export const SCOPE = 'https://www.googleapis.com/auth/rcsbusinessmessaging'
export const GRANT_TYPE = 'urn:ietf:params:oauth:grant-type:jwt-bearer'

const MAX_PART_BYTES = 8192
const MAX_LIFETIME_SECONDS = 3600
const MAX_SKEW_SECONDS = 300

/** Values that an assertion must have; an undefined one accepts any. */
export interface AssertionExpectations {
  readonly clientEmail: string | undefined
  readonly audience: string | undefined
  readonly publicKey: KeyObject | undefined
}

export function findAssertionFault(
  assertion: string,
  expected: AssertionExpectations,
  nowMs: number,
): string | undefined {
  const [header, claims, signature, ...more] = assertion.split('.')
  if (header === undefined || claims === undefined || signature === undefined || more.length > 0) {
    return 'the assertion must be a JWT'
  }
  const { alg } = decodePart(header) ?? {}
  if (alg !== 'RS256') return 'the algorithm must be RS256'
  const { publicKey, clientEmail, audience } = expected
  const signed = Buffer.from(`${header}.${claims}`)
  if (publicKey !== undefined && !verify('sha256', signed, publicKey, Buffer.from(signature, 'base64url'))) {
    return 'the signature must be by the key of the service account'
  }
  const { iss, aud, scope, iat, exp } = decodePart(claims) ?? {}
  if (toText(iss) === '' || (clientEmail ?? iss) !== iss)
    return 'the issuer must be the client email of the service account'
  if (toText(aud) === '' || (audience ?? aud) !== aud)
    return 'aud is required and must be this token endpoint'
  if (!toText(scope).split(' ').includes(SCOPE)) return `the scope ${SCOPE} is required`
  if (typeof iat !== 'number' || typeof exp !== 'number') return 'iat and exp are required'
  const now = nowMs / 1000
  if (exp <= now) return 'the assertion is expired'
  if (iat > now + MAX_SKEW_SECONDS) return 'the assertion is issued in the future: check the clock'
  return exp - iat > MAX_LIFETIME_SECONDS
    ? 'the assertion must not be valid for more than one hour'
    : undefined
}

function decodePart(part: string): Readonly<Record<string, unknown>> | undefined {
  return parseFields(Buffer.from(part, 'base64url'), MAX_PART_BYTES)
}
