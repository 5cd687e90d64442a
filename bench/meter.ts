/**
 * Attributes CPU time to the parts of the system, from readings before and after a round. Also reads the CPU time
 * of the whole machine, to show other load: measurements on a shared machine are not repeatable.
 */
import { cpuOfFamily, cpuOfMachine, cpuOfProcess, findListener } from './cpu.ts'
import type { BenchEnvironment } from './environment.ts'

/** CPU microseconds by part. */
export type CpuReading = Readonly<Record<string, number>>

export const machinePart = 'machine'

export class Meter {
  readonly #parts = new Map<string, () => number>()

  /** Watches processes as one part, whose CPU time is their sum. A second call with the same name replaces them. */
  watch(name: string, ...pids: number[]): void {
    this.#parts.set(name, () => pids.reduce((sum, pid) => sum + cpuOfProcess(pid), 0))
  }

  watchServices(environment: BenchEnvironment): void {
    const rabbitmq = findListener(parsePort(environment.brokerUrl, 5672))
    const postgres = findListener(parsePort(environment.databaseUrl, 5432))
    const redis = findListener(parsePort(environment.redisUrl, 6379))
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

function parsePort(url: string, defaultPort: number): number {
  const { port } = new URL(url)
  return port === '' ? defaultPort : Number(port)
}
