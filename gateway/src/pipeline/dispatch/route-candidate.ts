/**
 * Competes for the leadership of one route on behalf of this process, and runs the route while it holds it. Losing the
 * leadership stops the work. A process that was cut off may overlap with the next owner for a few heartbeats; claims keep
 * the two from submitting the same step.
 */
import type { Leadership } from '../../platform/broker/leadership.ts'
import type { Log } from '../../platform/log.ts'
import type { Route } from '../../routes/route.ts'
import { RouteOwner, type LoopedOwnerContext } from './owner.ts'

export class RouteCandidate {
  route: Route
  readonly #context: LoopedOwnerContext
  readonly #log: Log
  readonly #leadership: Leadership
  #owner: RouteOwner | undefined
  /** Starts and stops run one after another, however fast the leadership changes. */
  #transition: Promise<void> = Promise.resolve()

  constructor(route: Route, context: LoopedOwnerContext) {
    this.route = route
    this.#context = context
    this.#log = context.log.child({ route: route.id })
    this.#leadership = context.broker.competeForLeadership(context.topology.owner(route.id), {
      onGained: () => this.#enqueue(() => this.#start()),
      onLost: () => this.#enqueue(() => this.#stop()),
      isEligible: () => context.isEligible(),
    })
  }

  /** Applies settings that do not change the link: there is no reason to bind again. */
  update(route: Route): void {
    this.route = route
    this.#owner?.update(route)
  }

  /** False when this process owns the route and cannot consume its jobs. A route owned elsewhere does not count. */
  get healthy(): boolean {
    return !this.#leadership.owned || (this.#owner?.active ?? false)
  }

  async close(): Promise<void> {
    this.#enqueue(() => this.#stop())
    await this.#transition
    await this.#leadership.release()
    await this.#transition
  }

  #enqueue(work: () => Promise<void> | void): void {
    this.#transition = this.#transition.then(work).catch((error: unknown) => {
      this.#log.error(
        { err: error as Error },
        'this process cannot run the route; its messages wait. Correct the route with `postern route put`',
      )
    })
  }

  #start(): void {
    if (this.#owner !== undefined || !this.#leadership.owned) return
    this.#owner = new RouteOwner(this.route, this.#context, this.#log)
  }

  async #stop(): Promise<void> {
    const owner = this.#owner
    this.#owner = undefined
    await owner?.stop()
  }
}
