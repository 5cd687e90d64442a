/**
 * Decides where a step goes now: to a route's queue, to the waiting table, or nowhere because no route serves it. Called
 * by intake, dispatch and the outbox. It writes nothing; capacity that was taken and not used returns with the route's
 * next published state.
 */
import {
  defaultSchedulingSettings,
  type SchedulingSettingsTable,
} from '../../accounts/scheduling-settings.ts'
import { channels } from '../../channels/registry.ts'
import type { RouteJob } from '../../jobs/jobs.ts'
import { laneOf, type Lane } from '../../channels/lane.ts'
import type { HeldStep } from '../../records/waiting/waiting.ts'
import type { RouteRequest } from '../../routes/choose.ts'
import type { Router } from '../../routes/router.ts'
import type { RouteStates } from '../../routes/states.ts'
import { clock } from '../../platform/clock.ts'

export interface PlaceContext {
  readonly router: Router
  readonly states: Pick<RouteStates, 'reserveCapacity'>
  readonly schedulingSettings: SchedulingSettingsTable
}

export type Placement =
  | { readonly kind: 'release'; readonly routeId: string; readonly lane: Lane; readonly job: RouteJob }
  | { readonly kind: 'hold'; readonly held: HeldStep }
  | { readonly kind: 'unserved' }

export interface PlaceOptions {
  /** A route that cannot take the step now. */
  readonly avoid?: string
  /** A disabled route, for which the step waits when no other one serves it. */
  readonly waitFor?: string
  /** The step is held until this time. */
  readonly notBefore?: Date
}

export function place(context: PlaceContext, job: RouteJob, options: PlaceOptions = {}): Placement {
  const { router, states, schedulingSettings } = context
  const lane = laneOf(
    job.content,
    (schedulingSettings.value.get(job.accountId) ?? defaultSchedulingSettings).lane,
  )
  const parts = channels[job.content.channel].parts(job.content, job.msgKey).length
  const hold = (
    route: { id?: string; reason?: string },
    releaseAt: Date,
    why: HeldStep['reason'],
  ): Placement => ({
    kind: 'hold',
    held: {
      msgKey: job.msgKey,
      step: job.step,
      try: job.try,
      accountId: job.accountId,
      routeId: route.id ?? '',
      ...(route.reason === undefined ? {} : { routeReason: route.reason }),
      lane,
      parts,
      tries: job.tries ?? 0,
      releaseAt,
      reason: why,
    },
  })
  // The route is chosen when its time has come: routes may have changed by then.
  if (options.notBefore !== undefined) {
    return hold({}, options.notBefore, (job.tries ?? 0) > 0 ? 'retry' : 'scheduled')
  }
  const choice = router.choose(toRouteRequest(job), options.avoid)
  if (choice === null) {
    if (options.waitFor === undefined) return { kind: 'unserved' }
    return hold({ id: options.waitFor }, clock.date(), 'moved')
  }
  const routeId = choice.route.id
  if (!states.reserveCapacity(routeId, lane, parts)) {
    return hold(
      { id: routeId, reason: choice.reason },
      clock.date(),
      options.avoid === undefined ? 'backlog' : 'moved',
    )
  }
  return { kind: 'release', routeId, lane, job: { ...job, why: choice.reason } }
}

export function toRouteRequest({ accountId, content, to, msgKey }: RouteJob): RouteRequest {
  return { accountId, channel: content.channel, to, msgKey }
}
