/** Held messages as the commands print them, over either way. Pure. */
import { table, timeText, type Result } from '../result.ts'

export interface ShownHeld {
  readonly msgKey: string
  readonly clientId: string
  readonly rule: string
  readonly since: Date | string
  readonly dueAt: Date | string
  readonly channel: string
}

/** `found` has one more than `limit` where there are more. */
export function heldResult(found: readonly ShownHeld[], limit: number): Result {
  const held = found.slice(0, limit)
  const more = found.length > limit
  const time = (at: Date | string): string => timeText(at).slice(0, 19)
  const rows = held.map(({ msgKey, clientId, rule, channel, since, dueAt }) => [
    ...[msgKey, clientId, rule, channel, time(since), time(dueAt)],
  ])
  return {
    json: { held, more },
    lines: [
      ...table([['message', 'account', 'rule', 'channel', 'since', 'ends'], ...rows]),
      ...(more ? [`the first ${limit}; give --limit for more`] : []),
    ],
  }
}

const words = { release: ['released', 'are sent'], refuse: ['refused', 'are ended'] } as const

export function decidedResult(decision: 'release' | 'refuse', count: number, notHeld: number): Result {
  const [name, what] = words[decision]
  return {
    json: { [name]: count, notHeld },
    lines: [
      `${count} messages ${what}`,
      ...(notHeld > 0 ? [`${notHeld} are not held: they were decided before, or have ended`] : []),
    ],
  }
}
