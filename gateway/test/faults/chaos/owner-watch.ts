import { query } from '../../support/processes/scratch-database.ts'
import { every } from '../../../src/platform/time/periodic.ts'
import { silentLog } from '../../support/silent-log.ts'

const everyMs = 500
const minuteMs = 60_000

/** Watches which worker owns each partition, and so the routes of the partition. */
export class OwnerWatch {
  readonly #changes = new Map<string, number[]>()
  readonly #owners = new Map<string, string>()
  readonly #reading

  constructor(databaseUrl: string) {
    this.#reading = every(everyMs, 'reading the owners of partitions', silentLog, () =>
      this.#read(databaseUrl),
    )
  }

  /** Returns a finding for each partition whose owner changed more than once within a minute. */
  async stop(): Promise<string[]> {
    await this.#reading.stop()
    return [...this.#changes].flatMap(([partition, times]) => {
      const tooSoon = times.some((at, index) => index > 0 && at - times[index - 1]! < minuteMs)
      return tooSoon ? [`the owner of partition ${partition} changed ${times.length} times`] : []
    })
  }

  async #read(databaseUrl: string): Promise<void> {
    const rows = await query<{ key: string; member: string }>(
      databaseUrl,
      `select key, member from owned where kind = 'partition'`,
    )
    for (const { key, member } of rows) {
      const before = this.#owners.get(key)
      this.#owners.set(key, member)
      if (before === undefined || before === member) continue
      this.#changes.set(key, [...(this.#changes.get(key) ?? []), performance.now()])
    }
  }
}
