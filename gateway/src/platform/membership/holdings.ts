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
  free: ['taken'],
  /** The row of the item names this member. */
  taken: ['running', 'free'],
  running: ['stopping'],
  /**
   * The row is deleted when another process may begin. The item is free when this process may begin again.
   */
  stopping: ['free'],
} as const

/** The work for one item. */
export interface Work {
  /** Settles when another process may begin. */
  stop(): Promise<void>
  /** Resolves after a stop, when this process may begin again. */
  drained?(): Promise<void>
}

interface Thing<W extends Work> {
  state: keyof typeof transitions
  readonly epoch: number
  work?: W
}

export class Holdings<W extends Work> {
  readonly #membership: Membership
  readonly #kind: OwnedKind
  readonly #log: Log
  readonly #things = new Map<string, Thing<W>>()
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
    for (const [key, { state, work }] of this.#things) if (state === 'running') running.set(key, work!)
    return running
  }

  /** Returns the work for a running item. */
  find(key: string): W | undefined {
    const thing = this.#things.get(key)
    return thing?.state === 'running' ? thing.work : undefined
  }

  /** Claimed items that are not stopping. */
  get claimed(): ReadonlySet<string> {
    return new Set([...this.#things].filter(([, { state }]) => state !== 'stopping').map(([key]) => key))
  }

  /** Number of items that are claimed or whose work has not ended. */
  get size(): number {
    return this.#things.size
  }

  /**
   * Claims these items and no others, and stops items that are no longer wanted or were lost. Returns those
   * that are claimed and not started, except items that are still stopping. Claims nothing while this process
   * is cut off.
   */
  async claim(wanted: Iterable<string>): Promise<OwnedClaim[]> {
    if (!this.#isMember()) return []
    const keys = new Set(wanted)
    for (const [key, { state }] of this.#things) {
      if (keys.has(key)) continue
      if (state === 'running') this.stop(key)
      if (state === 'taken') this.#abandon(key)
    }
    const stopping = [...this.#things].filter(([, { state }]) => state === 'stopping').map(([key]) => key)
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
    if (this.#isMember()) for (const claim of claims) if (!this.#things.has(claim.key)) this.#take(claim)
    return claims.filter(({ key }) => this.#things.get(key)?.state === 'taken')
  }

  /** Starts the work for a claimed item, unless this process has been cut off since the claim. */
  start(key: string, begin: () => W): void {
    if (!this.#isMember()) return
    const thing = this.#things.get(key)
    if (thing === undefined) return
    thing.work = begin()
    thing.state = enterState(transitions, thing.state, 'running')
  }

  stop(key: string, reason?: string): void {
    const thing = this.#things.get(key)
    if (thing?.state !== 'running') return
    thing.state = enterState(transitions, thing.state, 'stopping')
    if (reason !== undefined)
      this.#log.info({ [this.#kind]: key, reason }, `stopping the work for a ${this.#kind}`)
    const stopped = this.#release(key, thing).finally(() => this.#stops.delete(stopped))
    this.#stops.add(stopped)
  }

  /** Resolves when all work has ended and is released. */
  async stopAll(): Promise<void> {
    for (const [key, { state }] of this.#things) {
      if (state === 'running') this.stop(key)
      if (state === 'taken') this.#abandon(key)
    }
    await Promise.all(this.#stops)
  }

  #isMember(): boolean {
    return this.#membership.state === 'active'
  }

  #take({ key, epoch }: OwnedClaim): void {
    this.#things.set(key, { state: enterState(transitions, 'free', 'taken'), epoch })
  }

  #abandon(key: string): void {
    const thing = this.#things.get(key)!
    thing.state = enterState(transitions, thing.state, 'free')
    this.#things.delete(key)
    this.#mustTidy = true
  }

  /**
   * Drops items that are not claimed with the same epoch: another member owns them, or did in the meantime.
   */
  #drop(epochs: ReadonlyMap<string, number>): void {
    for (const [key, { state, epoch }] of this.#things) {
      if (epochs.get(key) === epoch) continue
      if (state === 'running') this.stop(key, 'another process owns it')
      if (state === 'taken') this.#abandon(key)
    }
  }

  async #release(key: string, thing: Thing<W>): Promise<void> {
    const work = thing.work!
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
    thing.state = enterState(transitions, thing.state, 'free')
    this.#things.delete(key)
  }
}
