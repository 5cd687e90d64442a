/**
 * Moves steps that wait for a disabled route to other routes that serve them. One process of all does it, as a duty.
 * The outbox moves what waits for a deleted route.
 */
import type { Membership } from '../../platform/membership/membership.ts'
import { every, type Periodic } from '../../platform/periodic.ts'
import { findRoutesWithWaiters } from '../../records/waiting/find-waiting.ts'
import { shareIdsOf } from '../../routes/shares.ts'
import type { RouteTable } from '../../routes/table.ts'
import { MovePass, moveWaiting } from '../scheduling/move-waiting.ts'
import type { OwnerContext } from './owner.ts'

const intervalMs = 1_000
/** Steps that no other route serves are looked at again after twice the time, up to this; and when the routes change. */
const maxPauseMs = 30_000

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
    const disabled = routes.loaded ? shareIdsOf(routes.value.filter((route) => !route.enabled)) : []
    if (disabled.length === 0 || !context.isEligible() || !(await duty.hold())) return
    for (const routeId of await findRoutesWithWaiters(database, disabled)) {
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
