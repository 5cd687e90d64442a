/**
 * This process's place at one route: it competes for the route's leadership, and runs the route while it holds it. Losing
 * the leadership stops the work, so a route never has two owners.
 */
import type { Leadership } from '../../platform/broker/leadership.ts'
import type { Log } from '../../platform/log.ts'
import type { Route } from '../../routes/route.ts'
import { RouteOwner, type OwnerContext } from './owner.ts'

export class RouteCandidate {
  route: Route
  readonly #context: OwnerContext
  readonly #log: Log
  readonly #leadership: Leadership
  #owner: RouteOwner | undefined
  /** Starting and stopping follow each other, however fast ownership comes and goes. */
  #turn: Promise<void> = Promise.resolve()

  constructor(route: Route, context: OwnerContext) {
    this.route = route
    this.#context = context
    this.#log = context.log.child({ route: route.id })
    this.#leadership = context.broker.competeForLeadership(context.topology.owner(route.id), {
      onGained: () => this.#next(() => this.#start()),
      onLost: () => this.#next(() => this.#stop()),
      isEligible: () => context.isEligible(),
    })
  }

  /** Other rules for the same link: no reason to bind again. */
  update(route: Route): void {
    this.route = route
    this.#owner?.update(route)
  }

  /** Owned and able to take work; a route owned elsewhere does not count against this process. */
  get healthy(): boolean {
    return !this.#leadership.owned || (this.#owner?.active ?? false)
  }

  async close(): Promise<void> {
    this.#next(() => this.#stop())
    await this.#turn
    await this.#leadership.release()
    await this.#turn
  }

  #next(step: () => Promise<void> | void): void {
    this.#turn = this.#turn.then(step).catch((error: unknown) => {
      this.#log.error({ err: error as Error }, 'the route cannot run; correct it with `postern route put`')
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
