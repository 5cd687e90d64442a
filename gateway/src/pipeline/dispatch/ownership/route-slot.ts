import type { Log } from '../../../platform/logging/log.ts'
import { sameLink } from '../../../carriers/routes/route.ts'
import type { RouteShare } from '../../../carriers/routes/shares.ts'
import { readLinkOptions, type RouteLinkOptions } from '../credentials.ts'
import type { RouteOwner } from './owner.ts'
import type { UnlinkedRoute } from './unlinked-route.ts'

export interface SlotContext {
  /** Resolves when the route may start; links are opened a few at a time. */
  readonly waitForTurn: () => Promise<void>
  readonly start: (route: RouteShare, link: RouteLinkOptions) => RouteOwner
  /** Creates the substitute that runs while the route cannot be started. */
  readonly createUnlinked: (route: RouteShare) => UnlinkedRoute
  readonly log: Log
}

/** The same reason is logged again after this time. */
const repeatLogMs = 60_000

/**
 * Runs one route of a partition according to its settings: starts its owner, and restarts it when the link has changed,
 * after the old link is closed, because carriers count binds. Starts and stops run one after another, however fast the
 * settings change. A failed start is retried, and the steps take other routes in the meantime.
 */
export class RouteSlot {
  readonly #context: SlotContext
  #route: RouteShare | undefined
  #owner: RouteOwner | undefined
  /** Set while the route should run but cannot be started. */
  #unlinked: UnlinkedRoute | undefined
  #failure: { readonly reason: string; readonly loggedAt: number } | undefined
  #transition: Promise<void> = Promise.resolve()
  #pendingTransitions = 0
  #withPartition = false

  constructor(context: SlotContext) {
    this.#context = context
  }

  /** Whether the route should run. */
  get enabled(): boolean {
    return this.#route !== undefined
  }

  /** Sets the route to run, or none if undefined. */
  set(route: RouteShare | undefined): void {
    this.#route = route
    if (route !== undefined && this.#owner !== undefined && sameLink(route, this.#owner.route))
      this.#owner.update(route)
    else this.#enqueue(() => this.#apply())
  }

  /** Returns the owner, even if a start or stop is pending. */
  get current(): RouteOwner | undefined {
    return this.#owner
  }

  /**
   * Restarts the route if one of its secrets has changed; the old link first completes the claimed steps.
   * Also retries a failed start.
   */
  refresh(): void {
    if (this.#pendingTransitions > 0) return
    const owner = this.#owner
    if (owner === undefined) {
      if (this.#route !== undefined) this.#enqueue(() => this.#apply())
      return
    }
    const link = owner.readChangedLink()
    if (link === undefined) return
    this.#context.log.info({}, 'a secret of the route has changed; the link is opened again with it')
    this.#enqueue(async () => {
      await this.#stopOwner(owner)
      // Use the options that were read: the file may be missing for a moment when the old link is closed.
      await this.#apply(link)
    })
  }

  /** Returns the owner, or undefined while a start or stop is pending; a step then waits with `owner`. */
  get settledOwner(): RouteOwner | undefined {
    return this.#pendingTransitions === 0 ? this.#owner : undefined
  }

  /** Waits for the start of the route. Returns undefined if it does not run. */
  async owner(): Promise<RouteOwner | undefined> {
    await this.#transition
    return this.#owner
  }

  /** Stops the route; `withPartition` is set if the whole partition is left to another process. */
  async stop(withPartition = false): Promise<void> {
    this.#withPartition ||= withPartition
    this.set(undefined)
    await this.#transition
  }

  async #apply(link?: RouteLinkOptions): Promise<void> {
    const owner = this.#owner
    const keepsLink = owner !== undefined && this.#route !== undefined && sameLink(this.#route, owner.route)
    if (owner !== undefined && !keepsLink) await this.#stopOwner(owner)
    if (this.#owner !== undefined) return
    if (this.#route !== undefined) await this.#context.waitForTurn()
    await this.#start(link)
  }

  async #stopOwner(owner: RouteOwner): Promise<void> {
    this.#owner = undefined
    await owner.stop(this.#withPartition)
  }

  /**
   * Starts the route. If its settings have changed since the transition began, another transition follows.
   */
  async #start(changedLink?: RouteLinkOptions): Promise<void> {
    const route = this.#route
    if (route === undefined) return await this.#removeUnlinked()
    const link =
      changedLink !== undefined && sameLink(changedLink.route, route) ? changedLink : readLinkOptions(route)
    await this.#removeUnlinked()
    if (this.#route !== route) return
    this.#owner = this.#context.start(route, link)
    this.#failure = undefined
  }

  async #removeUnlinked(): Promise<void> {
    const unlinked = this.#unlinked
    this.#unlinked = undefined
    await unlinked?.stop()
  }

  #enqueue(work: () => Promise<void>): void {
    this.#pendingTransitions++
    this.#transition = this.#transition
      .then(work)
      .catch((error: unknown) => this.#onFailure(error as Error))
      .finally(() => this.#pendingTransitions--)
  }

  #onFailure(error: Error): void {
    if (this.#route !== undefined && this.#owner === undefined) {
      this.#unlinked ??= this.#context.createUnlinked(this.#route)
      this.#unlinked.update(this.#route)
    }
    const now = performance.now()
    if (this.#failure?.reason === error.message && now - this.#failure.loggedAt < repeatLogMs) return
    this.#failure = { reason: error.message, loggedAt: now }
    this.#context.log.error(
      { err: error },
      'this process cannot run the route and retries every few seconds; messages of the route take other routes or ' +
        'wait. Correct the cause that the error names, or correct the route with `postern route put`',
    )
  }
}
