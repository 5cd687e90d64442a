/**
 * This process's place at one route: it competes for the route's baton, and runs the route while it holds it. Losing
 * the baton stops the work, so a route never has two owners.
 */
import type { Baton } from '../../platform/broker/leadership.ts'
import type { Log } from '../../platform/log.ts'
import type { Route } from '../../routes/route.ts'
import { RouteOwner, type OwnerContext } from './owner.ts'

export class Seat {
  route: Route
  readonly #context: OwnerContext
  readonly #log: Log
  readonly #baton: Baton
  #owner: RouteOwner | undefined
  /** Starting and stopping follow each other, however fast ownership comes and goes. */
  #turn: Promise<void> = Promise.resolve()

  constructor(route: Route, context: OwnerContext) {
    this.route = route
    this.#context = context
    this.#log = context.log.child({ route: route.id })
    this.#baton = context.broker.holdBaton(context.topology.baton(route.id), {
      onOwn: () => this.#next(() => this.#start()),
      onLose: () => this.#next(() => this.#stop()),
      mayOwn: () => context.mayOwn(),
    })
  }

  /** Other rules for the same link: no reason to bind again. */
  update(route: Route): void {
    this.route = route
    this.#owner?.update(route)
  }

  /** Owned and able to take work; a route owned elsewhere does not count against this process. */
  get healthy(): boolean {
    return !this.#baton.owned || (this.#owner?.active ?? false)
  }

  async close(): Promise<void> {
    this.#next(() => this.#stop())
    await this.#turn
    await this.#baton.release()
    await this.#turn
  }

  #next(step: () => Promise<void> | void): void {
    this.#turn = this.#turn.then(step).catch((error: unknown) => {
      this.#log.error({ err: error as Error }, 'the route cannot run; correct it with `postern route put`')
    })
  }

  #start(): void {
    if (this.#owner !== undefined || !this.#baton.owned) return
    this.#owner = new RouteOwner(this.route, this.#context, this.#log)
  }

  async #stop(): Promise<void> {
    const owner = this.#owner
    this.#owner = undefined
    await owner?.stop()
  }
}
