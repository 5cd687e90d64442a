/**
 * Runs the work for the items of one kind that this process owns, such as partitions. The work for an item
 * starts after the item was claimed. It stops when the item is no longer wanted here, when another member
 * owns it, and when this process is cut off. The item is released for its next owner when its work has ended.
 */
import type { Log } from '../logging/log.ts'
import { enterState } from '../transitions.ts'
import type { Membership } from './membership.ts'
import type { OwnedClaim, OwnedKind } from './tables.ts'

const transitions = {
  /** Another member or none owns the item. */
  free: ['claimed'],
  /** The row of the item names this member. */
  claimed: ['running', 'free'],
  running: ['stopping'],
  /**
   * `Work.stop` was called. Once it settles, the row is deleted, so that another process may begin. Once
   * `drained` resolves as well, the item is free and this process may claim it again.
   */
  stopping: ['free'],
} as const

/** The work for one item. */
export interface Work {
  /** Resolves or rejects when another process may begin. */
  stop(): Promise<void>
  /** Called after `stop`. Resolves when this process may begin again. */
  drained?(): Promise<void>
}

interface HeldItem<W extends Work> {
  state: keyof typeof transitions
  readonly epoch: number
  work?: W
}

export class Holdings<W extends Work> {
  readonly #membership: Membership
  readonly #kind: OwnedKind
  readonly #log: Log
  readonly #items = new Map<string, HeldItem<W>>()
  readonly #stops = new Set<Promise<void>>()
  /** Whether rows may exist that this process no longer needs. */
  #mustTidy = true

  constructor(membership: Membership, kind: OwnedKind, log: Log) {
    this.#membership = membership
    this.#kind = kind
    this.#log = log
    membership.onLost(() => void this.stopAll())
  }

  get running(): ReadonlyMap<string, W> {
    const running = new Map<string, W>()
    for (const [key, { state, work }] of this.#items) if (state === 'running') running.set(key, work!)
    return running
  }

  /** Returns the work for a running item. */
  find(key: string): W | undefined {
    const item = this.#items.get(key)
    return item?.state === 'running' ? item.work : undefined
  }

  /** Items that are claimed or running. */
  get claimed(): ReadonlySet<string> {
    return new Set([...this.#items].filter(([, { state }]) => state !== 'stopping').map(([key]) => key))
  }

  /** Number of items that are claimed or whose work has not ended. */
  get size(): number {
    return this.#items.size
  }

  /**
   * Claims these items and no others, and stops items that are no longer wanted or were lost. An item that is
   * still stopping is not claimed again. Returns the claimed items that the caller must start. Claims nothing
   * while this process is cut off.
   */
  async claim(wanted: Iterable<string>): Promise<OwnedClaim[]> {
    if (!this.#isMember()) return []
    const keys = new Set(wanted)
    for (const [key, { state }] of this.#items) {
      if (keys.has(key)) continue
      if (state === 'running') this.stop(key)
      if (state === 'claimed') this.#abandon(key)
    }
    const stopping = [...this.#items].filter(([, { state }]) => state === 'stopping').map(([key]) => key)
    for (const key of stopping) keys.delete(key)
    if (keys.size === 0 && !this.#mustTidy) return []
    // Reset before the claim, because a failed release in the meantime sets it again.
    this.#mustTidy = false
    const claims = await this.#membership
      .claimExactly(this.#kind, [...keys], stopping)
      .catch((error: unknown) => {
        this.#mustTidy = true
        throw error
      })
    this.#drop(new Map(claims.map(({ key, epoch }) => [key, epoch])))
    if (this.#isMember()) for (const claim of claims) if (!this.#items.has(claim.key)) this.#addClaimed(claim)
    return claims.filter(({ key }) => this.#items.get(key)?.state === 'claimed')
  }

  /** Starts the work for a claimed item, unless this process has been cut off since the claim. */
  start(key: string, begin: () => W): void {
    if (!this.#isMember()) return
    const item = this.#items.get(key)
    if (item === undefined) return
    item.work = begin()
    item.state = enterState(transitions, item.state, 'running')
  }

  stop(key: string, reason?: string): void {
    const item = this.#items.get(key)
    if (item?.state !== 'running') return
    item.state = enterState(transitions, item.state, 'stopping')
    if (reason !== undefined)
      this.#log.info({ [this.#kind]: key, reason }, `stopping the work for a ${this.#kind}`)
    const stopped = this.#release(key, item).finally(() => this.#stops.delete(stopped))
    this.#stops.add(stopped)
  }

  /** Resolves when all work has ended and is released. */
  async stopAll(): Promise<void> {
    for (const [key, { state }] of this.#items) {
      if (state === 'running') this.stop(key)
      if (state === 'claimed') this.#abandon(key)
    }
    await Promise.all(this.#stops)
  }

  #isMember(): boolean {
    return this.#membership.state === 'active'
  }

  #addClaimed({ key, epoch }: OwnedClaim): void {
    this.#items.set(key, { state: enterState(transitions, 'free', 'claimed'), epoch })
  }

  #abandon(key: string): void {
    const item = this.#items.get(key)!
    item.state = enterState(transitions, item.state, 'free')
    this.#items.delete(key)
    this.#mustTidy = true
  }

  /**
   * Drops items that are not claimed with the same epoch: another member owns them, or did in the meantime.
   */
  #drop(epochs: ReadonlyMap<string, number>): void {
    for (const [key, { state, epoch }] of this.#items) {
      if (epochs.get(key) === epoch) continue
      if (state === 'running') this.stop(key, 'another process owns it')
      if (state === 'claimed') this.#abandon(key)
    }
  }

  async #release(key: string, item: HeldItem<W>): Promise<void> {
    const work = item.work!
    await work.stop().catch((error: unknown) => {
      // The cut-off of this process is logged once, not for every item.
      this.#log[this.#isMember() ? 'warn' : 'debug'](
        { err: error as Error, [this.#kind]: key },
        `cannot save the last work for a ${this.#kind}; its next owner repeats it`,
      )
    })
    await this.#membership.release(this.#kind, [key]).catch((error: unknown) => {
      this.#mustTidy = true
      this.#log.debug(
        { err: error as Error, [this.#kind]: key },
        'cannot release items of this process; retrying with the next claims',
      )
    })
    await work.drained?.()
    item.state = enterState(transitions, item.state, 'free')
    this.#items.delete(key)
  }
}
