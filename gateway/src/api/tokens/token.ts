/**
 * Access tokens: signed, self-contained, valid for 24 hours. Verification reads no database; the account's epoch and the
 * credential, both cached in memory, revoke tokens. To a client the token is an opaque string.
 *
 * Before base64url: version (1), account (4), epoch (4), expiry in ms (6), mark and cell (6), credential (4), key
 * (2), nonce (4), HMAC-SHA-256 (32). A proxy reads the cell without the secret (deploy/cells/haproxy.cfg): bytes 15 to 20
 * are encoded as characters 20 to 27 of the token, which read `cell`, the two characters of the cell, and two random ones.
 */
import { createHmac, randomBytes, timingSafeEqual, type KeyObject } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { randomLetters } from '../../contract/msg-key.ts'
import { clock } from '../../platform/clock.ts'
import { fixedRing, tokenLifetimeMs, type KeyRing } from './key-ring.ts'

export { tokenLifetimeMs }
const maxVerified = 20_000
const version = 1
const payloadLength = 31
const signatureLength = 32
/** The first three bytes of the mark are four characters: one in 16 million tokens without a cell has it by chance. */
const mark = 'cell'
const markAt = 20

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
  /** This process does not know the key: it may be new, or may have been retired. */
  | { readonly kind: 'unknown-key' }
  | { readonly kind: 'other-cell'; readonly cell: string }

export interface TokenFor {
  readonly credentialId: number
  /** The token expires then, if that is earlier. */
  readonly notAfter?: Date | null
}

export interface TokenKey {
  issue(accountId: number, epoch: number, now: Date, given: TokenFor): { token: string; expiresAt: Date }
  verify(token: string, now: Date): TokenDecision
  /** After 'unknown-key': reads the keys again. False: they could not be read. */
  refresh(): Promise<boolean>
}

/** With one key that is never replaced. */
export function createTokenKey(secret: string, cell: string): TokenKey {
  return createTokens(fixedRing(secret), cell)
}

/** `cell` is the cell of this process: tokens name it, and those of another cell are refused. */
export function createTokens(ring: KeyRing, cell: string): TokenKey {
  // A client sends the same token thousands of times; its signature is checked once.
  const verified = new LRUCache<string, { readonly kind: 'valid' } & TokenClaims>({ max: maxVerified })

  /**
   * A token that is valid for longer than any issued now comes from a time when the clock was ahead: it has expired, so
   * that the client asks for another and a leaked one does not stay valid for the difference. After a jump of
   * PostgreSQL's clock none has expired: all clients would log in again at once.
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
      payload.write(mark + cell + randomLetters(2), 15, 'base64url')
      payload.writeUInt32BE(credentialId, 21)
      payload.writeUInt16BE(keyId, 25)
      randomBytes(4).copy(payload, 27)
      return { token: Buffer.concat([payload, sign(key, payload)]).toString('base64url'), expiresAt }
    },
    verify(token, now) {
      const known = verified.get(token)
      if (known !== undefined) return decide(known, now)
      const bytes = Buffer.from(token, 'base64url')
      // Encoding again refuses other spellings that a lenient base64 decoder accepts.
      if (bytes.toString('base64url') !== token) return { kind: 'invalid' }
      if (bytes.length !== payloadLength + signatureLength || bytes[0] !== version) return { kind: 'invalid' }
      const named = cellOfToken(token)
      if (named === null) return { kind: 'invalid' }
      // Before the signature: two cells that were given the same secret by mistake must not accept each other's tokens.
      if (named !== cell) return { kind: 'other-cell', cell: named }
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

/** The cell that a token names; null when it names none. Not verified. */
export function cellOfToken(token: string): string | null {
  const named = token.slice(markAt, markAt + 6)
  return /^cell[0-9A-Z]{2}$/.test(named) ? named.slice(4) : null
}

function sign(key: KeyObject, payload: Buffer): Buffer {
  return createHmac('sha256', key).update(payload).digest()
}
