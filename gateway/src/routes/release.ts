/**
 * Hands a step to its route's queue; resolves when the broker has confirmed it. A step that no route serves has
 * failed, and settle is told so.
 */
import type { RouteJob, VerdictJob } from '../messages/jobs.ts'
import type { GroupPublisher } from '../platform/broker/publish.ts'
import type { Topology } from '../platform/broker/topology.ts'
import { chooseRoute } from './route.ts'
import type { RouteTable } from './table.ts'

export interface ReleaseContext {
  readonly publisher: GroupPublisher
  readonly topology: Topology
  readonly routes: RouteTable
}

export async function releaseStep(
  { publisher, topology, routes }: ReleaseContext,
  job: RouteJob,
): Promise<void> {
  const route = chooseRoute(routes.value, job.content.channel)
  if (route !== null) {
    await publisher.send(topology.lane(route.id, 'normal'), JSON.stringify(job))
    return
  }
  const verdict: VerdictJob = {
    v: 1,
    kind: 'verdict',
    msgKey: job.msgKey,
    step: job.step,
    try: job.try,
    cause: 'no-route',
    parts: 1,
    at: Date.now(),
  }
  await publisher.send(topology.receipts, JSON.stringify(verdict))
}
