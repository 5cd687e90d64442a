/**
 * How much the first queue may hold: in messages, in bytes, and in time while nothing of it is recorded. Sends are accepted
 * within these bounds while PostgreSQL is unavailable; bulk may use half of each, normal four fifths, urgent all. Pure.
 */
import type { Lane } from '../../channels/lane.ts'

export interface ReserveBounds {
  readonly messages: number
  readonly bytes: number
  readonly minutes: number
}

export interface ReserveUse {
  /** In all lanes together: they share the disk of the broker. */
  readonly messages: number
  readonly bytes: number
  /** How long nothing of the lane has been recorded although messages wait in it. */
  readonly stalledMs: number
}

/** What a lane may use. Urgent messages are few and lose their value by waiting: they are refused last. */
const fractions: Readonly<Record<Lane, number>> = { urgent: 1, normal: 0.8, bulk: 0.5 }

/** Whether the lane may take no more messages. */
export function isUsedUp(lane: Lane, use: ReserveUse, bounds: ReserveBounds): boolean {
  const fraction = fractions[lane]
  return (
    use.messages >= bounds.messages * fraction ||
    use.bytes >= bounds.bytes * fraction ||
    use.stalledMs >= bounds.minutes * 60_000 * fraction
  )
}
