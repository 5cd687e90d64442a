import { clock } from '../../platform/time/clock.ts'
import type { Log } from '../../platform/logging/log.ts'
import type { Membership } from '../../platform/membership/membership.ts'
import type { Periodic } from '../../platform/time/periodic.ts'
import type { Outbox } from './outbox.ts'
import type { WaitingWatch } from './waiting-watch.ts'

export interface SweepContext {
  readonly outbox: Outbox
  readonly waitingWatch: WaitingWatch
  readonly membership: Membership
  readonly log: Log
  /**
   * Returns for how long the routes, or the rules that steps are placed by, cannot be read; their age does
   * not count.
   */
  readonly failingMs?: () => number
  /** Tests set it lower. */
  readonly lateTurnMs?: number
}

/** Tables are read every second; after some failures the next readings may fail as well. */
const maxFailingMs = 10_000
/**
 * A late worker leaves work for twice this time to the others. The duty of a worker that has ended is free by
 * then.
 */
const defaultLateTurnMs = 8_000

/**
 * Starts the sweep of the outbox. Every worker starts it, and the one with the duty releases what no route's owner will. If
 * the duty changes hands in the middle of a batch, both processes may release the same steps, which is harmless.
 *
 * Two kinds of workers must not keep others from the work:
 *
 * - A worker whose clock disagrees with PostgreSQL's releases no scheduled messages. It has a separate duty.
 * - A worker that cannot read its tables is late: it would end steps for which it knows no route, although others know one.
 *   It gives up its duty, and works only in short turns, after the others had time for what it finds.
 */
export function startOutboxSweep({
  outbox,
  waitingWatch,
  membership,
  log,
  failingMs = () => 0,
  lateTurnMs = defaultLateTurnMs,
}: SweepContext): Periodic {
  const duty = membership.duty('outbox')
  const unscheduledDuty = membership.duty('outbox without scheduled messages')
  const isLate = (): boolean => failingMs() > maxFailingMs
  let current: Promise<void> | undefined
  let hasFailed = false
  /** When a late worker found the work that it leaves to the others. */
  let leftAt: number | undefined

  async function hold(): Promise<boolean> {
    if (clock.agrees) return duty.hold()
    if (!isLate()) await duty.release()
    // A late worker must not work at the same time as any other.
    else if (!(await duty.hold())) return false
    return unscheduledDuty.hold()
  }

  async function giveUp(): Promise<void> {
    await Promise.all([duty.release(), unscheduledDuty.release()])
  }

  async function sweep(lateUntil: number): Promise<void> {
    await outbox.releaseStranded(async () => (!isLate() || performance.now() < lateUntil) && (await hold()))
    if (isLate() || !outbox.canPublish) await giveUp()
  }

  async function run(work: Promise<void>): Promise<void> {
    try {
      await work
      hasFailed = false
    } catch (error) {
      if (!hasFailed) log.warn({ err: error as Error }, 'releasing stranded steps failed; retrying')
      hasFailed = true
    }
    current = undefined
  }

  /** Reports whether a late worker may begin a turn with what it finds; the next turn waits again. */
  function mayTakeTurn(hasWork: boolean): boolean {
    leftAt = hasWork ? (leftAt ?? performance.now()) : undefined
    if (leftAt === undefined || performance.now() - leftAt < 2 * lateTurnMs) return false
    leftAt = undefined
    return true
  }

  const stopListening = waitingWatch.listen((waiting) => {
    if (current !== undefined) return
    if (!isLate()) {
      leftAt = undefined
      if (outbox.hasStranded(waiting)) current = run(sweep(0))
      // Routes that a late worker has not read are not stranded: their owners release what waits for them.
    } else if (mayTakeTurn(waiting.has(''))) current = run(sweep(performance.now() + lateTurnMs))
    else current = run(giveUp())
  })
  return {
    async stop() {
      await stopListening()
      await current
      await giveUp().catch((error: unknown) => {
        log.debug({ err: error as Error }, 'cannot give up the duties of the outbox; they expire')
      })
    },
  }
}
