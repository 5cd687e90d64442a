import type { Membership } from '../../platform/membership/membership.ts'
import { every, type Periodic } from '../../platform/time/periodic.ts'
import { findRoutesWithDueSteps } from '../../records/waiting/find-waiting.ts'
import { listShareIds } from '../../carriers/routes/shares.ts'
import type { RouteTable } from '../../carriers/routes/table.ts'
import { MovePass, moveWaiting } from '../scheduling/move-waiting.ts'
import type { OwnerContext } from './ownership/owner.ts'

const intervalMs = 1_000
/**
 * Maximum pause between attempts to move steps that no other route serves; it doubles each time, and restarts after a
 * step was moved or the routes have changed.
 */
const maxPauseMs = 30_000

/**
 * Moves steps that wait for a disabled route to other routes that serve them, as a duty of one process. The outbox moves
 * steps of deleted routes.
 */
export function startMovingDisabled(
  routes: RouteTable,
  context: OwnerContext,
  membership: Membership,
): Periodic {
  const { database, broker, log } = context
  const duty = membership.duty('moving from disabled routes')
  const passes = new Map<string, { readonly pass: MovePass; pauseMs: number; pausedUntil: number }>()
  routes.onChange(() => passes.clear())

  async function round(): Promise<void> {
    const disabled = routes.loaded ? listShareIds(routes.value.filter((route) => !route.enabled)) : []
    if (disabled.length === 0 || !context.isEligible() || !(await duty.hold())) return
    for (const routeId of await findRoutesWithDueSteps(database, disabled)) {
      const state = passes.get(routeId) ?? { pass: new MovePass(), pauseMs: 0, pausedUntil: 0 }
      passes.set(routeId, state)
      if (performance.now() < state.pausedUntil) continue
      const { moved, complete } = await moveWaiting(
        { ...context, publisher: broker.publisher, routeId },
        state.pass,
      )
      if (moved > 0) state.pauseMs = 0
      else if (complete) state.pauseMs = Math.min(maxPauseMs, state.pauseMs * 2 || intervalMs)
      if (complete) state.pausedUntil = performance.now() + state.pauseMs
    }
  }

  const rounds = every(intervalMs, 'moving steps of disabled routes', log, round)
  return {
    async stop() {
      await rounds.stop()
      await duty.release().catch((error: unknown) => {
        log.debug({ err: error as Error }, 'cannot give up the duty for disabled routes; it expires')
      })
    },
  }
}
