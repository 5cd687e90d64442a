/**
 * Measures the processor time of processes from Linux's /proc. A group is read again at every sample, because
 * sessions come and go.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'

/** Returns the current process ids of a group. */
export type ProcessGroup = () => readonly number[]

const ticksPerSecond = 100
const sampleEveryMs = 1_000

/** Returns the CPU time of each group over the measured time, in per cent of one core. */
export async function measureCpu(
  groups: ReadonlyMap<string, ProcessGroup>,
  seconds: number,
): Promise<(name: string) => number> {
  const last = new Map<number, number>()
  const used = new Map<string, number>()
  const began = performance.now()
  const sample = (first: boolean): void => {
    for (const [name, group] of groups) {
      for (const pid of group()) {
        const ticks = readTicks(pid)
        if (ticks === undefined) continue
        // A process that started since the last sample used all of its time since then.
        const before = last.get(pid) ?? (first ? ticks : 0)
        used.set(name, (used.get(name) ?? 0) + ticks - before)
        last.set(pid, ticks)
      }
    }
  }
  sample(true)
  while (performance.now() - began < seconds * 1000) {
    await delay(sampleEveryMs)
    sample(false)
  }
  const elapsed = (performance.now() - began) / 1000
  return (name) => (((used.get(name) ?? 0) / ticksPerSecond) * 100) / elapsed
}

/** Returns processes whose command line contains the text; PostgreSQL includes a session's database. */
export function processesNamed(text: string): number[] {
  return readdirSync('/proc').flatMap((entry) => {
    if (!/^\d+$/.test(entry)) return []
    try {
      return readFileSync(`/proc/${entry}/cmdline`, 'latin1').includes(text) ? [Number(entry)] : []
    } catch {
      return []
    }
  })
}

function readTicks(pid: number): number | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1')
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    return Number(fields[11]) + Number(fields[12])
  } catch {
    return undefined
  }
}
