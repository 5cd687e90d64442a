/** Keeps a test file within one day, both in UTC (message keys) and in Korea (clients and limits). */
import { setTimeout as pause } from 'node:timers/promises'

const dayMs = 86_400_000
const midnightsUtcMs = [0, 15 * 3_600_000]
/** Longer than most files take. */
const nearMs = 60_000

/** Waits for midnight if it is near. */
export async function passMidnight(): Promise<void> {
  await pause(pauseBeforeMidnight(Date.now()))
}

export function pauseBeforeMidnight(nowMs: number): number {
  const leftMs = Math.min(...midnightsUtcMs.map((midnight) => dayMs - ((nowMs - midnight) % dayMs)))
  return leftMs <= nearMs ? leftMs : 0
}
