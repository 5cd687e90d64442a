/**
 * Bearer tokens with a lifetime, for installations that put a token in front of the service. Off when the lifetime is
 * 0: the published API knows the hub partner key in the path only. Keeps a bounded number of tokens.
 */

const MAX_TOKENS = 1000

export class Tokens {
  readonly #ttlMs: number
  readonly #expiry = new Map<string, number>()
  readonly #newToken: () => string

  constructor(ttlMs: number, newToken: () => string) {
    this.#ttlMs = ttlMs
    this.#newToken = newToken
  }

  get required(): boolean {
    return this.#ttlMs > 0
  }

  issue(): { readonly access_token: string; readonly expires_in: number } {
    if (this.#expiry.size >= MAX_TOKENS) this.#expiry.delete(this.#expiry.keys().next().value!)
    const token = this.#newToken()
    this.#expiry.set(token, Date.now() + this.#ttlMs)
    return { access_token: token, expires_in: Math.ceil(this.#ttlMs / 1000) }
  }

  accepts(authorization: string | undefined): boolean {
    if (!this.required) return true
    return (this.#expiry.get(/^Bearer (\S+)$/.exec(authorization ?? '')?.[1] ?? '') ?? 0) > Date.now()
  }

  expireAll(): number {
    const { size } = this.#expiry
    this.#expiry.clear()
    return size
  }
}
