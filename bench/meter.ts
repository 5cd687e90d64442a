/**
 * Attributes CPU time to the parts of the system: read before and after a round, it says how long each worked.
 * What the machine did besides is told too, because a shared machine makes figures that nobody can repeat.
 */
import { cpuOfFamily, cpuOfMachine, cpuOfProcess, findListener } from './cpu.ts'
import type { Ground } from './ground.ts'

/** Microseconds of CPU by part. */
export type CpuReading = Readonly<Record<string, number>>

export const machinePart = 'machine'

export class Meter {
  readonly #parts = new Map<string, () => number>()

  /** Several processes of one name are added up. */
  watch(name: string, ...pids: number[]): void {
    this.#parts.set(name, () => pids.reduce((sum, pid) => sum + cpuOfProcess(pid), 0))
  }

  watchServices(ground: Ground): void {
    const rabbitmq = findListener(portOf(ground.brokerUrl, 5672))
    const postgres = findListener(portOf(ground.databaseUrl, 5432))
    const redis = findListener(portOf(ground.redisUrl, 6379))
    if (rabbitmq !== undefined) this.watch('rabbitmq', rabbitmq)
    if (postgres !== undefined) this.#parts.set('postgres', () => cpuOfFamily(postgres))
    if (redis !== undefined) this.watch('redis', redis)
  }

  read(): CpuReading {
    const reading: Record<string, number> = {}
    for (const [name, read] of this.#parts) reading[name] = read()
    reading[machinePart] = cpuOfMachine()
    return reading
  }
}

export function difference(after: CpuReading, before: CpuReading): CpuReading {
  return Object.fromEntries(Object.keys(after).map((name) => [name, after[name]! - (before[name] ?? 0)]))
}

function portOf(url: string, standard: number): number {
  const { port } = new URL(url)
  return port === '' ? standard : Number(port)
}
