/**
 * Issues and checks bearer tokens with a lifetime, like the token endpoints of carriers, which report expired
 * and unknown tokens differently. Keeps a bounded number of tokens.
 */
import { evictOldest } from './evict-oldest.ts'

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

  /** `ttlMs` is the token lifetime; 0 requires no token. */
  constructor(ttlMs: number, newToken: () => string) {
    this.#ttlMs = ttlMs
    this.#newToken = newToken
  }

  get isRequired(): boolean {
    return this.#ttlMs > 0
  }

  issue(): IssuedToken {
    evictOldest(this.#expiry, MAX_TOKENS)
    const token = this.#newToken()
    this.#expiry.set(token, Date.now() + this.#ttlMs)
    return { token, expiresInSeconds: Math.ceil(this.#ttlMs / 1000) }
  }

  check(authorization: string | undefined): TokenCheck {
    if (!this.isRequired) return 'valid'
    if (authorization === undefined) return 'no header'
    const token = /^Bearer (\S+)$/.exec(authorization)?.[1]
    if (token === undefined) return 'no token'
    const expiry = this.#expiry.get(token)
    if (expiry === undefined) return 'unknown'
    return expiry > Date.now() ? 'valid' : 'expired'
  }

  /** Expires all tokens and returns their number. */
  expireAll(): number {
    for (const token of this.#expiry.keys()) this.#expiry.set(token, 0)
    return this.#expiry.size
  }
}
