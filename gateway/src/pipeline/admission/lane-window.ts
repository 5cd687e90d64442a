export interface WeightedAccount {
  readonly id: number
  readonly weight: number
}

/** Details of a 429 response. */
export interface ShareExceeded {
  readonly messagesPerSecond: number
  readonly retryAfterSeconds: number
}

interface AccountUse {
  weight: number
  unrecorded: number
  /** Messages of refused requests whose retry is expected but not due yet. */
  returning: number
  /** Time at which `returning` was computed. */
  returningAtMs: number
}

/** Messages that were accepted within `slotMs`, by account. */
interface Slot {
  readonly beganMs: number
  acceptedUntil: number
  readonly messages: Map<number, number>
}

/**
 * Approximate wait of messages when accounts send more than intake records. Longer than acceptance, an intake
 * batch and its report take together, so accounts can use the whole capacity.
 */
const windowMs = 1_000
/**
 * Default send limit of an account per second: while intake keeps up, no account within its limit is refused.
 */
const minWindow = 1_000
/** An account with at most this many unrecorded messages is never refused for its share, however slow intake is. */
const minShare = 100
/**
 * If nothing is recorded for this long, PostgreSQL is unavailable or intake catches up after an outage.
 * Messages then count for `windowMs` only, and the reserve limits the queue. Longer than a batch of a
 * slow intake, which takes up to a second.
 */
const stallMs = 2_000
/** Recorded messages are subtracted by slot; a slot is short compared with the window. */
const slotMs = 50
const maxRetrySeconds = 60

/**
 * Limits the messages of one lane that an API process has accepted and intake has not recorded yet. The queue of a
 * lane is first in, first out, so the limit bounds how long a message waits behind those of other accounts. The limit
 * is a window of about the messages of this process that intake records in a second. While it is full, an account may
 * use only its share, by weight. There is no limit until intake has reported. Times in `…Ms` are monotonic
 * milliseconds.
 */
export class LaneWindow {
  readonly #accounts = new Map<number, AccountUse>()
  /** Oldest first. */
  #slots: Slot[] = []
  #unrecorded = 0
  /** Sum of the weights of accounts with unrecorded messages. */
  #weights = 0
  /** Reports of the last `windowMs`. */
  #reports: { readonly atMs: number; readonly messages: number }[] = []
  #size: number | undefined
  #progressAtMs = -Infinity
  #isStalled = false

  get unrecorded(): number {
    return this.#unrecorded
  }

  /** Counts a message that is published now. */
  countAccepted({ id, weight }: WeightedAccount, acceptedAt: number, nowMs: number): void {
    if (this.#slots.length === 0 && !this.#isStalled) this.#progressAtMs = nowMs
    let slot = this.#slots.at(-1)
    if (slot === undefined || nowMs - slot.beganMs >= slotMs)
      this.#slots.push((slot = { beganMs: nowMs, acceptedUntil: acceptedAt, messages: new Map() }))
    slot.acceptedUntil = acceptedAt
    slot.messages.set(id, (slot.messages.get(id) ?? 0) + 1)
    const use = this.#use(id, weight, nowMs)
    if (use.unrecorded++ === 0) this.#weights += use.weight
    this.#unrecorded++
  }

  /**
   * Subtracts messages of this process that intake recorded `ageMs` after acceptance, the last of them
   * accepted at `acceptedUntil`.
   */
  countRecorded(messages: number, acceptedUntil: number, ageMs: number, nowMs: number): void {
    const elapsedMs = Math.min(nowMs - (this.#reports.at(-1)?.atMs ?? nowMs), windowMs / 2)
    this.#reports = this.#reports.filter(({ atMs }) => nowMs - atMs < windowMs)
    this.#reports.push({ atMs: nowMs, messages })
    this.#resize(ageMs, elapsedMs / windowMs)
    // Use the order of the slots, not their times, because the clock may have been set back.
    const last = this.#slots.findLastIndex((slot) => slot.acceptedUntil <= acceptedUntil)
    if (last < 0) return
    this.#progressAtMs = nowMs
    this.#isStalled = false
    this.#drop(last + 1)
  }

  /** Returns null if a request with this many messages is admitted. */
  findExcess({ id, weight }: WeightedAccount, messages: number, nowMs: number): ShareExceeded | null {
    this.#dropStalled(nowMs)
    if (this.#size === undefined || this.#unrecorded + messages <= this.#size) return null
    const use = this.#use(id, weight, nowMs)
    const weights = this.#weights + (use.unrecorded === 0 ? weight : 0)
    const share = Math.max(minShare, (this.#size * weight) / weights)
    if (use.unrecorded + messages <= share) return null
    const messagesPerSecond = (share * 1000) / windowMs
    return { messagesPerSecond, retryAfterSeconds: computeDelay(use, messages, messagesPerSecond, nowMs) }
  }

  /**
   * Deletes accounts without unrecorded messages and expected retries. An empty window grows again, because
   * intake keeps up.
   */
  forgetIdle(nowMs: number): void {
    this.#dropStalled(nowMs)
    if (this.#size !== undefined && this.#slots.length === 0 && !this.#isStalled)
      this.#size = Math.max(this.#size, minWindow)
    for (const [id, { unrecorded, returningAtMs }] of this.#accounts)
      if (unrecorded === 0 && nowMs - returningAtMs > maxRetrySeconds * 1000) this.#accounts.delete(id)
  }

  /**
   * Grows the window to what intake recorded in the last `windowMs`, or to half of it while messages are late.
   * Otherwise the window changes by at most the fraction `change`, because a short stall looks like a slow intake.
   */
  #resize(ageMs: number, change: number): void {
    const size = this.#size ?? minWindow
    const recorded = this.#reports.reduce((sum, { messages }) => sum + messages, 0)
    if (ageMs > windowMs) {
      // Leave half of what intake records for the messages that already wait.
      this.#size = Math.max(recorded / 2, size * (1 - change))
    } else {
      // Growth takes effect only after `ageMs`, so end it well before messages are late.
      const grown = ageMs > windowMs / 2 ? size : Math.min(minWindow, size * (1 + change))
      this.#size = Math.max(size, recorded, grown)
    }
  }

  #use(id: number, weight: number, nowMs: number): AccountUse {
    let use = this.#accounts.get(id)
    if (use === undefined)
      this.#accounts.set(id, (use = { weight, unrecorded: 0, returning: 0, returningAtMs: nowMs }))
    // An operator may have changed the weight.
    if (use.unrecorded > 0) this.#weights += weight - use.weight
    use.weight = weight
    return use
  }

  #dropStalled(nowMs: number): void {
    if (this.#slots.length === 0 || nowMs - this.#progressAtMs <= stallMs) return
    this.#isStalled = true
    this.#drop(this.#slots.findLastIndex(({ beganMs }) => nowMs - beganMs > windowMs) + 1)
  }

  #drop(slots: number): void {
    for (const { messages } of this.#slots.splice(0, slots))
      for (const [id, count] of messages) {
        const use = this.#accounts.get(id)!
        use.unrecorded -= count
        this.#unrecorded -= count
        if (use.unrecorded === 0) this.#weights -= use.weight
      }
  }
}

/**
 * Computes the retry delay in seconds: refused requests return one after the other, at the rate of the
 * account's share.
 */
function computeDelay(use: AccountUse, messages: number, messagesPerSecond: number, nowMs: number): number {
  const due = ((nowMs - use.returningAtMs) * messagesPerSecond) / 1000
  use.returning = Math.max(0, use.returning - due) + messages
  use.returningAtMs = nowMs
  // Random, so clients that were refused together do not return together.
  const seconds = (use.returning / messagesPerSecond) * (1 + Math.random() / 4)
  return Math.min(maxRetrySeconds, Math.max(1, Math.ceil(seconds)))
}
