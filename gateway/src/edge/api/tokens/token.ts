import { createHmac, randomBytes, timingSafeEqual, type KeyObject } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { randomLetters } from '../../../contract/msg-key.ts'
import { clock } from '../../../platform/time/clock.ts'
import { fixedRing, tokenLifetimeMs, type KeyRing } from './key-ring.ts'

export { tokenLifetimeMs }
const maxVerified = 20_000
const version = 1
const payloadLength = 31
const signatureLength = 32
/** Marks a token that names its cell. One in 16 million tokens without a cell contains these three bytes by chance. */
const cellMark = 'cell'
/** Position of the mark in the encoded token. */
const cellMarkAt = 20

export interface TokenClaims {
  readonly accountId: number
  readonly epoch: number
  readonly credentialId: number
  readonly keyId: number
  readonly expiresAt: Date
}

export type TokenDecision =
  | ({ readonly kind: 'valid' } & TokenClaims)
  | { readonly kind: 'expired' }
  | { readonly kind: 'invalid' }
  /** This process has not read the key, which may be new. */
  | { readonly kind: 'unknown-key' }
  | { readonly kind: 'other-cell'; readonly cell: string }

export interface TokenTerms {
  readonly credentialId: number
  /** Expiry of the token, if earlier than its normal one. */
  readonly notAfter?: Date | null
}

/**
 * Issues and verifies access tokens: signed, self-contained, valid for at most 24 hours, and opaque to clients.
 * Verification reads no database; the account's epoch and the credential, both cached in memory, revoke tokens.
 *
 * Layout before base64url: version (1 byte), account (4), epoch (4), expiry in ms (6), mark and cell (6),
 * credential (4), key (2), nonce (4), HMAC-SHA-256 (32). A proxy reads the cell without the secret
 * (deploy/cells/haproxy.cfg): bytes 15 to 20 are encoded as characters 20 to 27 of the token, which read `cell`,
 * the two characters of the cell, and two random ones.
 */
export interface TokenKey {
  issue(accountId: number, epoch: number, now: Date, given: TokenTerms): { token: string; expiresAt: Date }
  verify(token: string, now: Date): TokenDecision
  /** Reads the keys again after 'unknown-key'. Resolves to false if they could not be read. */
  refresh(): Promise<boolean>
}

/** Creates tokens that are signed with one key, which is never replaced. */
export function createTokenKey(secret: string, cell: string): TokenKey {
  return createTokens(fixedRing(secret), cell)
}

/** Creates tokens that name `cell`, the cell of this process; tokens of other cells are refused. */
export function createTokens(ring: KeyRing, cell: string): TokenKey {
  // A client sends the same token thousands of times; its signature is checked once.
  const verified = new LRUCache<string, { readonly kind: 'valid' } & TokenClaims>({ max: maxVerified })

  /**
   * Treats a token that is valid for longer than any issued now as expired: it was issued while the clock was
   * ahead, and a leaked one must not stay valid for the difference. After a jump of PostgreSQL's clock the
   * expiry of a token is ignored, because all clients would log in again at once; that of its key is not.
   */
  function decide(claims: { readonly kind: 'valid' } & TokenClaims, now: Date): TokenDecision {
    const leftMs = claims.expiresAt.getTime() - now.getTime()
    const isCurrent = leftMs > 0 && leftMs <= tokenLifetimeMs + clock.maxSkewMs
    if (!isCurrent && !clock.hasJumped) return { kind: 'expired' }
    return ring.accepts(claims.keyId, now.getTime()) ? claims : { kind: 'expired' }
  }

  return {
    issue(accountId, epoch, now, { credentialId, notAfter = null }) {
      const latest = now.getTime() + tokenLifetimeMs
      const expiresAt = new Date(Math.min(latest, notAfter?.getTime() ?? latest))
      const { id: keyId, key } = ring.signing(now.getTime())
      const payload = Buffer.allocUnsafe(payloadLength)
      payload.writeUInt8(version, 0)
      payload.writeUInt32BE(accountId, 1)
      payload.writeUInt32BE(epoch, 5)
      payload.writeUIntBE(expiresAt.getTime(), 9, 6)
      payload.write(cellMark + cell + randomLetters(2), 15, 'base64url')
      payload.writeUInt32BE(credentialId, 21)
      payload.writeUInt16BE(keyId, 25)
      randomBytes(4).copy(payload, 27)
      return { token: Buffer.concat([payload, sign(key, payload)]).toString('base64url'), expiresAt }
    },
    verify(token, now) {
      const cached = verified.get(token)
      if (cached !== undefined) return decide(cached, now)
      const bytes = Buffer.from(token, 'base64url')
      // Encoding again refuses alternative spellings that a lenient base64 decoder accepts.
      if (bytes.toString('base64url') !== token) return { kind: 'invalid' }
      if (bytes.length !== payloadLength + signatureLength || bytes[0] !== version) return { kind: 'invalid' }
      const tokenCell = readTokenCell(token)
      if (tokenCell === null) return { kind: 'invalid' }
      // Check the cell before the signature: two cells with the same secret by mistake must not accept each
      // other's tokens.
      if (tokenCell !== cell) return { kind: 'other-cell', cell: tokenCell }
      const payload = bytes.subarray(0, payloadLength)
      const claims = readClaims(payload)
      const key = ring.find(claims.keyId)
      if (key === undefined) return { kind: 'unknown-key' }
      if (!timingSafeEqual(sign(key, payload), bytes.subarray(payloadLength))) return { kind: 'invalid' }
      const decision = decide(claims, now)
      if (decision.kind === 'valid') verified.set(token, claims)
      return decision
    },
    refresh: () => ring.refresh?.() ?? Promise.resolve(true),
  }
}

function readClaims(payload: Buffer): { readonly kind: 'valid' } & TokenClaims {
  return {
    kind: 'valid',
    accountId: payload.readUInt32BE(1),
    epoch: payload.readUInt32BE(5),
    credentialId: payload.readUInt32BE(21),
    keyId: payload.readUInt16BE(25),
    expiresAt: new Date(payload.readUIntBE(9, 6)),
  }
}

/** Returns the cell that a token names, or null. The token is not verified. */
export function readTokenCell(token: string): string | null {
  const cellPart = token.slice(cellMarkAt, cellMarkAt + 6)
  return /^cell[0-9A-Z]{2}$/.test(cellPart) ? cellPart.slice(4) : null
}

function sign(key: KeyObject, payload: Buffer): Buffer {
  return createHmac('sha256', key).update(payload).digest()
}
