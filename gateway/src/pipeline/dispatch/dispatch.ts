/**
 * Runs the dispatch stage of a worker: competes for the ownership of every partition of the routes and applies changes of
 * the route table without a restart. Moves steps away from routes that are disabled. Called by the worker role.
 */
import type { RouteTable } from '../../routes/table.ts'
import { startMovingDisabled } from './move-disabled.ts'
import type { OwnerContext } from './owner.ts'
import { PartitionCandidate } from './partition-candidate.ts'
import { drainPreviousQueues, type PreviousQueuesOptions } from './previous-queues.ts'
import { createRelocation } from './relocation.ts'
import { RouteLoops } from './route-loops.ts'
import { createStartPacer } from './start-pacer.ts'

export interface Dispatch {
  readonly healthy: boolean
  stop(): Promise<void>
}

export function startDispatch(
  routes: RouteTable,
  owner: OwnerContext,
  options: PreviousQueuesOptions = {},
): Dispatch {
  const loops = new RouteLoops(owner)
  const context = { ...owner, loops, relocation: createRelocation(owner), startTurn: createStartPacer() }
  const candidates = context.topology.dispatch.map(
    (_, partition) => new PartitionCandidate(partition, context),
  )
  routes.onChange((table) => {
    for (const candidate of candidates) candidate.update(table)
  })
  const periodics = [startMovingDisabled(routes, context), drainPreviousQueues(context, options)]
  return {
    get healthy() {
      return candidates.every((candidate) => candidate.healthy)
    },
    async stop() {
      await Promise.all(
        [...candidates, ...periodics].map((part) => ('close' in part ? part.close() : part.stop())),
      )
      await loops.stop()
    },
  }
}
