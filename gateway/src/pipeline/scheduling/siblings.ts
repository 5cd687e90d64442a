/** Reserves capacity of the other shares of a route for steps that wait for one share. Called by `BacklogReleaser`. */
import type { Lane } from '../../channels/lane.ts'
import type { Topology } from '../../jobs/queues.ts'
import type { GroupPublisher } from '../../platform/broker/publish.ts'
import type { RouteStates } from '../../routes/states.ts'

/** The other shares of the route, and their published capacity. */
export interface Siblings {
  readonly ids: readonly string[]
  readonly states: Pick<RouteStates, 'reserveCapacity'>
}

export interface SiblingContext {
  readonly publisher: Pick<GroupPublisher, 'accepts'>
  readonly topology: Topology
}

/** Parts that are given to another share in a round. Fewer than `min` only when no more wait: they cost statements. */
export const givenParts = { min: 10, max: 1_000 }

/** Returns how many parts were reserved: all that wait, or nearly what the share has capacity for. */
export function reserveOf(
  { publisher, topology }: SiblingContext,
  { states }: Siblings,
  id: string,
  lane: Lane,
  waiting: number,
): number {
  let parts = Math.min(givenParts.min, waiting)
  if (!publisher.accepts(topology.queueOf(id)) || !states.reserveCapacity(id, lane, parts)) return 0
  for (let more = waiting - parts; more > 0; more = Math.min(Math.floor(more / 2), waiting - parts))
    if (states.reserveCapacity(id, lane, more)) parts += more
  return parts
}
