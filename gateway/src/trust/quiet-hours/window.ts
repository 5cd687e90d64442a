/** Hours of the day in which advertisements can be sent, and the time until they begin. */

/**
 * In minutes after local midnight. Advertisements can be sent from `opensAt` until just before `closesAt`.
 */
export interface SendingWindow {
  readonly opensAt: number
  readonly closesAt: number
  /** Closed weekdays; 0 is Sunday. */
  readonly closedOn?: readonly number[]
}

/** The law forbids advertisements from 21:00 to 08:00; configured hours must lie within this window. */
export const legalWindow: SendingWindow = { opensAt: 8 * 60, closesAt: 21 * 60 }

export interface LocalTime {
  readonly minutes: number
  /** 0 is Sunday. */
  readonly day: number
}

const dayMinutes = 1_440

/** Returns 0 if the window is open, and `Infinity` if it never opens. */
export function minutesUntilOpen({ minutes, day }: LocalTime, window: SendingWindow): number {
  const { opensAt, closesAt, closedOn = [] } = window
  for (let ahead = 0; ahead <= 7; ahead++) {
    if (closedOn.includes((day + ahead) % 7)) continue
    if (ahead > 0 || minutes < opensAt) return ahead * dayMinutes + opensAt - minutes
    if (minutes < closesAt) return 0
  }
  return Infinity
}

/** Returns the local time in Korea, which has no daylight saving time. */
export function timeInKorea(now: number): LocalTime {
  return atOffset(now, 9 * 60)
}

export function atOffset(now: number, offsetMinutes: number): LocalTime {
  const minutes = Math.floor(now / 60_000) + offsetMinutes
  // 1 January 1970 was a Thursday.
  return { minutes: minutes % dayMinutes, day: (Math.floor(minutes / dayMinutes) + 4) % 7 }
}

/** Returns when the window opens, at the start of a minute, or `now` if it is open. */
export function findOpening(now: number, local: LocalTime, window: SendingWindow): number {
  const wait = minutesUntilOpen(local, window)
  return wait === 0 ? now : (Math.floor(now / 60_000) + wait) * 60_000
}

/** Formats minutes after midnight as `09:30`. */
export function formatMinutes(minutes: number): string {
  return `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`
}
