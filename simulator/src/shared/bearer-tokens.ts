/**
 * Bearer tokens with a lifetime, as the token endpoints of carriers issue them. An expired token is told apart from an
 * unknown one, as carriers do. Keeps a bounded number of tokens.
 */
import { makeRoom } from './make-room.ts'

const MAX_TOKENS = 1000

export type TokenCheck = 'valid' | 'no header' | 'no token' | 'unknown' | 'expired'

export interface IssuedToken {
  readonly token: string
  readonly expiresInSeconds: number
}

export class BearerTokens {
  readonly #ttlMs: number
  readonly #newToken: () => string
  readonly #expiry = new Map<string, number>()

  /** A lifetime of 0 means that no token is required. */
  constructor(ttlMs: number, newToken: () => string) {
    this.#ttlMs = ttlMs
    this.#newToken = newToken
  }

  get required(): boolean {
    return this.#ttlMs > 0
  }

  issue(): IssuedToken {
    makeRoom(this.#expiry, MAX_TOKENS)
    const token = this.#newToken()
    this.#expiry.set(token, Date.now() + this.#ttlMs)
    return { token, expiresInSeconds: Math.ceil(this.#ttlMs / 1000) }
  }

  check(authorization: string | undefined): TokenCheck {
    if (!this.required) return 'valid'
    if (authorization === undefined) return 'no header'
    const token = /^Bearer (\S+)$/.exec(authorization)?.[1]
    if (token === undefined) return 'no token'
    const expiry = this.#expiry.get(token)
    if (expiry === undefined) return 'unknown'
    return expiry > Date.now() ? 'valid' : 'expired'
  }

  /** Returns how many tokens are known. */
  expireAll(): number {
    for (const token of this.#expiry.keys()) this.#expiry.set(token, 0)
    return this.#expiry.size
  }
}
