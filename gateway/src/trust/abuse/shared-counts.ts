/**
 * Sliding counts that all API processes of a cell share. A message costs a comparison: only keys that come near their limit are
 * published to the others, by their hash, and each process adds what the others have. Below half of an equal share of the limit in each
 * process nothing is sent, and nothing can be beyond the limit. What is unknown is not counted: without the broker each process
 * counts alone. No I/O; `share-counts.ts` sends and receives.
 */
import { hashOf, type KeyHash } from './key-hash.ts'
import { SlidingCounts } from './velocity.ts'

/** Account, hash of the key, and how many this process has counted in the window. */
export type SharedSum = readonly [accountId: number, hash: number, sum: number]

/** Keys near their limit that this process publishes at most, and of one account. */
const maxNear = 10_000
const maxNearOfAccount = 2_000
/** Of a full table the oldest make room at once, so that one of them costs little. */
const evictedShare = 1 / 4
/** Keys of others that are kept at most, those that were received last. */
const maxKnown = 50_000
/** What another process has not repeated for so long is forgotten: it has stopped, or its key is no longer near its limit. */
const keptMs = 15_000
/** Sums are repeated, for processes that have just started and for what was lost. */
const repeatMs = 5_000

interface NearKey {
  readonly accountId: number
  limit: number
  sent: number
  sentAt: number
}

interface OtherSum {
  sum: number
  receivedAt: number
}

export class SharedCounts {
  readonly #counts: SlidingCounts
  readonly #hash: KeyHash
  /** This one and those whose reports are received. */
  #processes = 1
  readonly #near = new Map<number, NearKey>()
  /** How many of them each account has. */
  readonly #nearOf = new Map<number, number>()
  /** Sums of the others by the hash of their key, in the order in which each key was last received. */
  readonly #others = new Map<number, Map<string, OtherSum>>()
  /** Called when a key comes near its limit. */
  onNear: () => void = () => undefined

  constructor(windowMs: number, max?: number, hash = hashOf) {
    this.#counts = new SlidingCounts(windowMs, max, hash)
    this.#hash = hash
  }

  set processes(count: number) {
    const hasMore = count > this.#processes
    this.#processes = count
    // What was counted without it.
    if (hasMore && this.#near.size > 0) this.onNear()
  }

  add(accountId: number, key: string, now: number): void {
    this.#counts.add(accountId, key, now)
  }

  remove(accountId: number, key: string, addedAt: number): void {
    this.#counts.remove(accountId, key, addedAt)
  }

  /** Whether all processes together have counted as many in the window until now. */
  isReached(accountId: number, key: string, now: number, limit: number): boolean {
    const hash = this.#hash(accountId, key)
    const own = this.#counts.countOf(accountId, hash, now)
    const others = this.#others.size === 0 ? 0 : this.#ofOthers(hash, now)
    // With the message that is judged.
    if (others > 0 || this.#isNear(own + 1, limit)) this.#mark(accountId, hash, limit)
    return own + others >= limit
  }

  /** What the others have to know now. */
  takeSums(now: number, max: number): SharedSum[] {
    const sums: SharedSum[] = []
    for (const [hash, near] of this.#near) {
      if (sums.length >= max) break
      const own = this.#counts.countOf(near.accountId, hash, now)
      const stays = own > 0 && (this.#isNear(own, near.limit) || this.#ofOthers(hash, now) > 0)
      const isKnown = own === near.sent && now - near.sentAt < repeatMs
      if (this.#processes > 1 && !isKnown && (stays || near.sent > 0)) {
        sums.push([near.accountId, hash, own])
        near.sent = own
        near.sentAt = now
      }
      if (!stays) this.#unmark(hash, near)
    }
    return sums
  }

  /** What another process has counted. */
  receive(process: string, sums: readonly SharedSum[], now: number): void {
    for (const [accountId, hash, sum] of sums) {
      const known = this.#others.get(hash) ?? new Map<string, OtherSum>()
      const isRepeated = known.get(process)?.sum === sum
      if (sum === 0) known.delete(process)
      else known.set(process, { sum, receivedAt: now })
      this.#others.delete(hash)
      if (known.size === 0) continue
      if (this.#others.size >= maxKnown) this.#forgetOldest(maxKnown * evictedShare)
      this.#others.set(hash, known)
      // The others have to know what this process has of the key, however little. Not for what is repeated: two full tables would
      // publish the same to each other without end.
      if (!isRepeated && this.#counts.countOf(accountId, hash, now) > 0) this.#mark(accountId, hash, Infinity)
    }
  }

  /** Keys of which a sum of another process counts. */
  get known(): number {
    return this.#others.size
  }

  /** Forgets what was not repeated. */
  forgetOld(now: number): void {
    for (const [hash, known] of this.#others) {
      for (const [process, { receivedAt }] of known) if (now - receivedAt > keptMs) known.delete(process)
      if (known.size === 0) this.#others.delete(hash)
    }
  }

  /** A key that is used is received again, and is the newest then. */
  #forgetOldest(count: number): void {
    let left = count
    for (const hash of this.#others.keys()) {
      if (left-- === 0) return
      this.#others.delete(hash)
    }
  }

  /**
   * At half of an equal share: before all of them together can reach the limit. A first message is not, unless one in each process
   * would reach it: every recipient has one.
   */
  #isNear(own: number, limit: number): boolean {
    return own * 2 * this.#processes > limit && (own > 1 || this.#processes >= limit)
  }

  #ofOthers(hash: number, now: number): number {
    const known = this.#others.get(hash)
    if (known === undefined) return 0
    let sum = 0
    for (const other of known.values()) if (now - other.receivedAt <= keptMs) sum += other.sum
    return sum
  }

  #mark(accountId: number, hash: number, limit: number): void {
    const near = this.#near.get(hash)
    if (near !== undefined) near.limit = limit === Infinity ? near.limit : limit
    else {
      const isFull = this.#near.size >= maxNear
      const isAccountFull = (this.#nearOf.get(accountId) ?? 0) >= maxNearOfAccount
      // Alone it keeps the first of them: what another process counts of the rest makes this one publish them.
      if ((isFull || isAccountFull) && this.#processes === 1) return
      if (isAccountFull) this.#evict(maxNearOfAccount * evictedShare, accountId)
      else if (isFull) this.#evict(maxNear * evictedShare)
      this.#near.set(hash, { accountId, limit, sent: 0, sentAt: -Infinity })
      this.#nearOf.set(accountId, (this.#nearOf.get(accountId) ?? 0) + 1)
    }
    if (this.#processes > 1) this.onNear()
  }

  /** The oldest: a key that is used is marked again by its next message, here or in another process. */
  #evict(count: number, ofAccount?: number): void {
    let left = count
    for (const [hash, near] of this.#near) {
      if (left === 0) return
      if (ofAccount !== undefined && near.accountId !== ofAccount) continue
      this.#unmark(hash, near)
      left--
    }
  }

  #unmark(hash: number, { accountId }: NearKey): void {
    this.#near.delete(hash)
    const left = this.#nearOf.get(accountId)! - 1
    if (left === 0) this.#nearOf.delete(accountId)
    else this.#nearOf.set(accountId, left)
  }
}
