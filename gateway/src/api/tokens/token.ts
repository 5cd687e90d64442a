/**
 * Access tokens: signed, self-contained, valid for 24 hours. Verification reads no database; the account's epoch, cached
 * in memory, revokes all tokens of an account at once. To a client the token is an opaque string.
 *
 * Layout before base64url: version (1), account (4), epoch (4), expiry in ms (6), nonce (8), HMAC-SHA-256 (32).
 */
import { createHmac, createSecretKey, randomBytes, timingSafeEqual, type KeyObject } from 'node:crypto'
import { LRUCache } from 'lru-cache'

export const tokenLifetimeMs = 24 * 3_600_000
const version = 1
const maxVerified = 20_000
const payloadLength = 23
const tokenLength = payloadLength + 32

export interface TokenClaims {
  readonly accountId: number
  readonly epoch: number
  readonly expiresAt: Date
}

export type TokenDecision =
  ({ readonly kind: 'valid' } & TokenClaims) | { readonly kind: 'expired' } | { readonly kind: 'invalid' }

export interface TokenKey {
  issue(accountId: number, epoch: number, now: Date): { token: string; expiresAt: Date }
  verify(token: string, now: Date): TokenDecision
}

export function createTokenKey(secret: string): TokenKey {
  const key = createSecretKey(Buffer.from(secret))
  // A client sends the same token thousands of times; its signature is checked once.
  const verified = new LRUCache<string, { readonly kind: 'valid' } & TokenClaims>({ max: maxVerified })
  return {
    issue(accountId, epoch, now) {
      const expiresAt = new Date(now.getTime() + tokenLifetimeMs)
      const payload = Buffer.allocUnsafe(payloadLength)
      payload.writeUInt8(version, 0)
      payload.writeUInt32BE(accountId, 1)
      payload.writeUInt32BE(epoch, 5)
      payload.writeUIntBE(expiresAt.getTime(), 9, 6)
      randomBytes(8).copy(payload, 15)
      return { token: Buffer.concat([payload, sign(key, payload)]).toString('base64url'), expiresAt }
    },
    verify(token, now) {
      const known = verified.get(token)
      if (known !== undefined) return known.expiresAt <= now ? { kind: 'expired' } : known
      const bytes = Buffer.from(token, 'base64url')
      // Encoding again refuses other spellings that a lenient base64 decoder accepts.
      if (bytes.length !== tokenLength || bytes.toString('base64url') !== token) return { kind: 'invalid' }
      const payload = bytes.subarray(0, payloadLength)
      if (
        !timingSafeEqual(sign(key, payload), bytes.subarray(payloadLength)) ||
        payload.readUInt8(0) !== version
      ) {
        return { kind: 'invalid' }
      }
      const expiresAt = new Date(payload.readUIntBE(9, 6))
      if (expiresAt <= now) return { kind: 'expired' }
      const claims = {
        kind: 'valid',
        accountId: payload.readUInt32BE(1),
        epoch: payload.readUInt32BE(5),
        expiresAt,
      } as const
      verified.set(token, claims)
      return claims
    },
  }
}

function sign(key: KeyObject, payload: Buffer): Buffer {
  return createHmac('sha256', key).update(payload).digest()
}
