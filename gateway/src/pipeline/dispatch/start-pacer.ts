/** Spreads the start of many routes over time: 500 links that bind in one tick would delay everything else. */
import { setTimeout as delay } from 'node:timers/promises'

const perTick = 10
const tickMs = 50

/** Each call resolves when its caller may start: ten at once, then two hundred a second. */
export function createStartPacer(): () => Promise<void> {
  let next = 0
  return async () => {
    const now = performance.now()
    next = Math.max(next, now - tickMs) + tickMs / perTick
    if (next > now) await delay(next - now)
  }
}
