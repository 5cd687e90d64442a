/**
 * Access tokens: signed, self-contained, valid for 24 hours. Verification reads no database; the account's epoch, cached
 * in memory, revokes all tokens of an account at once. To a client the token is an opaque string.
 *
 * Layout before base64url: version (1), account (4), epoch (4), expiry in ms (6), mark and cell (6), nonce (2),
 * HMAC-SHA-256 (32). A proxy reads the cell without the secret (deploy/cells/haproxy.cfg): bytes 15 to 20 are encoded as
 * characters 20 to 27 of the token, which read `cell`, the two characters of the cell, and two random ones. Processes of
 * the previous version take these bytes for a nonce and accept the token; tokens that they issued have no mark and are
 * accepted here.
 */
import { createHmac, createSecretKey, randomBytes, timingSafeEqual, type KeyObject } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { randomLetters } from '../../contract/msg-key.ts'
import { clock } from '../../platform/clock.ts'

export const tokenLifetimeMs = 24 * 3_600_000
const version = 1
const maxVerified = 20_000
const payloadLength = 23
/** The first three bytes of the mark are four characters: one in 16 million tokens without a cell has it by chance. */
const mark = 'cell'
const markAt = 20
const tokenLength = payloadLength + 32

export interface TokenClaims {
  readonly accountId: number
  readonly epoch: number
  readonly expiresAt: Date
}

export type TokenDecision =
  | ({ readonly kind: 'valid' } & TokenClaims)
  | { readonly kind: 'expired' }
  | { readonly kind: 'invalid' }
  | { readonly kind: 'other-cell'; readonly cell: string }

export interface TokenKey {
  issue(accountId: number, epoch: number, now: Date): { token: string; expiresAt: Date }
  verify(token: string, now: Date): TokenDecision
}

/** `cell` is the cell of this process: tokens name it, and those of another cell are refused. */
export function createTokenKey(secret: string, cell: string): TokenKey {
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
      payload.write(mark + cell + randomLetters(2), 15, 'base64url')
      randomBytes(2).copy(payload, 21)
      return { token: Buffer.concat([payload, sign(key, payload)]).toString('base64url'), expiresAt }
    },
    verify(token, now) {
      const known = verified.get(token)
      if (known !== undefined) return decide(known, now)
      const bytes = Buffer.from(token, 'base64url')
      // Encoding again refuses other spellings that a lenient base64 decoder accepts.
      if (bytes.length !== tokenLength || bytes.toString('base64url') !== token) return { kind: 'invalid' }
      const named = cellOfToken(token)
      // Before the signature: two cells that were given the same secret by mistake must not accept each other's tokens.
      if (named !== null && named !== cell) return { kind: 'other-cell', cell: named }
      const payload = bytes.subarray(0, payloadLength)
      if (
        !timingSafeEqual(sign(key, payload), bytes.subarray(payloadLength)) ||
        payload.readUInt8(0) !== version
      ) {
        return { kind: 'invalid' }
      }
      const claims = {
        kind: 'valid',
        accountId: payload.readUInt32BE(1),
        epoch: payload.readUInt32BE(5),
        expiresAt: new Date(payload.readUIntBE(9, 6)),
      } as const
      const decision = decide(claims, now)
      if (decision.kind === 'valid') verified.set(token, claims)
      return decision
    },
  }
}

/**
 * A token that is valid for longer than any issued now comes from a time when the clock was ahead: it has expired, so that
 * the client asks for another and a leaked one does not stay valid for the difference.
 */
function decide(claims: { readonly kind: 'valid' } & TokenClaims, now: Date): TokenDecision {
  const leftMs = claims.expiresAt.getTime() - now.getTime()
  return leftMs <= 0 || leftMs > tokenLifetimeMs + clock.maxSkewMs ? { kind: 'expired' } : claims
}

/** The cell that a token names; null when it names none. Not verified. */
export function cellOfToken(token: string): string | null {
  const named = token.slice(markAt, markAt + 6)
  return /^cell[0-9A-Z]{2}$/.test(named) ? named.slice(4) : null
}

function sign(key: KeyObject, payload: Buffer): Buffer {
  return createHmac('sha256', key).update(payload).digest()
}
