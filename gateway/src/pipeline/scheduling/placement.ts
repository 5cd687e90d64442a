/** Where a step goes: `place` decides it, `releasePlaced` carries it out. */
import type { Cause } from '../../channels/cause.ts'
import type { Lane } from '../../channels/lane.ts'
import type { RouteJob } from '../../jobs/jobs.ts'
import type { HeldStep } from '../../records/waiting/waiting-step.ts'

export type Placement =
  | { readonly kind: 'release'; readonly routeId: string; readonly lane: Lane; readonly job: RouteJob }
  | { readonly kind: 'hold'; readonly held: HeldStep }
  | { readonly kind: 'failed'; readonly lane: Lane; readonly cause: Cause }
