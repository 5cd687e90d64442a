/**
 * Verifies the `Authorization` header: HMAC over date and salt, at most 15 minutes old or in the future, each
 * signature once. Source: `authentication/api-key.md` of solapi/documents.
 */
import { createHmac } from 'node:crypto'
import { evictOldest } from '../shared/evict-oldest.ts'

const TOLERANCE_MS = 15 * 60_000
const MAX_SIGNATURES = 1_000_000

const header =
  /^HMAC-(SHA256|MD5) apiKey=([^,\s]+), ?date=([^,\s]+), ?salt=([^,\s]{12,64}), ?signature=([0-9a-f]+)$/

export type AuthenticationError =
  | 'InvalidAPIKey'
  | 'RequestTimeTooSkewed'
  | 'SignatureDoesNotMatch'
  | 'DuplicatedSignature'

export class Authenticator {
  readonly #apiKey: string
  readonly #apiSecret: string
  /** Time of use by signature, oldest first. */
  readonly #used = new Map<string, number>()

  constructor(apiKey: string, apiSecret: string) {
    this.#apiKey = apiKey
    this.#apiSecret = apiSecret
  }

  check(authorization: string | undefined, now = Date.now()): AuthenticationError | undefined {
    const [, algorithm, apiKey, date, salt, signature] = header.exec(authorization ?? '') ?? []
    if (apiKey !== this.#apiKey || signature === undefined) return 'InvalidAPIKey'
    if (!(Math.abs(Date.parse(date!) - now) <= TOLERANCE_MS)) return 'RequestTimeTooSkewed'
    const expected = createHmac(algorithm!.toLowerCase(), this.#apiSecret)
      .update(`${date}${salt}`)
      .digest('hex')
    if (signature !== expected) return 'SignatureDoesNotMatch'
    // A signature of the future stays valid for twice the tolerance.
    this.#forgetBefore(now - 2 * TOLERANCE_MS)
    if (this.#used.has(signature)) return 'DuplicatedSignature'
    evictOldest(this.#used, MAX_SIGNATURES)
    this.#used.set(signature, now)
    return undefined
  }

  #forgetBefore(time: number): void {
    for (const [signature, usedAt] of this.#used) {
      if (usedAt >= time) return
      this.#used.delete(signature)
    }
  }
}
