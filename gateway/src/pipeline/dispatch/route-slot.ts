/**
 * Runs one route of a partition as its settings say: starts its owner, and starts it again after its old link is closed
 * when the link has changed, because carriers count binds. Starts and stops run one after another, however fast the
 * settings change. Called by the owner of the partition.
 */
import type { Log } from '../../platform/log.ts'
import { sameLink } from '../../routes/route.ts'
import type { RouteShare } from '../../routes/shares.ts'
import type { RouteOwner } from './owner.ts'

export interface SlotContext {
  /** Resolves when the route may start: links are opened a few at a time. */
  readonly turn: () => Promise<void>
  /** `mustAgree`: the route has, or had, other owners that may still divide its rate in another way. */
  readonly start: (route: RouteShare, mustAgree: boolean) => RouteOwner
  readonly log: Log
}

export class RouteSlot {
  readonly #context: SlotContext
  #route: RouteShare | undefined
  #owner: RouteOwner | undefined
  #wasShared = false
  #transition: Promise<void> = Promise.resolve()
  #pendingTransitions = 0
  #withPartition = false

  constructor(context: SlotContext) {
    this.#context = context
  }

  /** False while the route is not to run. */
  get enabled(): boolean {
    return this.#route !== undefined
  }

  /** Undefined: the route is not to run. */
  set(route: RouteShare | undefined): void {
    this.#route = route
    if (route !== undefined && this.#owner !== undefined && sameLink(route, this.#owner.route))
      this.#owner.update(route)
    else this.#enqueue(() => this.#apply())
  }

  /** The owner, while the route runs. */
  get current(): RouteOwner | undefined {
    return this.#owner
  }

  /** Starts the route again when one of its secrets has changed. What it has claimed is answered by the old link first. */
  renewCredentials(): void {
    const owner = this.#owner
    if (owner?.credentialsChanged !== true) return
    this.#context.log.info({}, 'a secret of the route has changed; the link is opened again with it')
    this.#enqueue(async () => {
      if (this.#owner !== owner) return
      this.#owner = undefined
      await owner.stop(this.#withPartition)
      await this.#apply()
    })
  }

  /** The owner, when no start and no stop is pending; a step then need not wait for it. */
  get settledOwner(): RouteOwner | undefined {
    return this.#pendingTransitions === 0 ? this.#owner : undefined
  }

  /** Waits for the start of the route. Undefined when it does not run. */
  async owner(): Promise<RouteOwner | undefined> {
    await this.#transition
    return this.#owner
  }

  /** `withPartition`: the whole partition is left to another process. */
  async stop(withPartition = false): Promise<void> {
    this.#withPartition ||= withPartition
    this.set(undefined)
    await this.#transition
  }

  async #apply(): Promise<void> {
    const owner = this.#owner
    const keeps = owner !== undefined && this.#route !== undefined && sameLink(this.#route, owner.route)
    if (owner !== undefined && !keeps) {
      this.#owner = undefined
      await owner.stop(this.#withPartition)
    }
    if (this.#route === undefined || this.#owner !== undefined) return
    await this.#context.turn()
    this.#start()
  }

  /** The settings may have changed since the transition began; another one follows then. */
  #start(): void {
    if (this.#route === undefined) return
    const isShared = this.#route.owners > 1
    this.#owner = this.#context.start(this.#route, isShared || this.#wasShared)
    this.#wasShared = isShared
  }

  #enqueue(work: () => Promise<void>): void {
    this.#pendingTransitions++
    this.#transition = this.#transition
      .then(work)
      .catch((error: unknown) => {
        this.#context.log.error(
          { err: error as Error },
          'this process cannot run the route; its messages take other routes or wait. Correct the route with `postern route put`',
        )
      })
      .finally(() => this.#pendingTransitions--)
  }
}
