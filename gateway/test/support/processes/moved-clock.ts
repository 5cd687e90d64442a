/**
 * The clock of a whole installation: PostgreSQL and every process read it from one file. It runs at normal
 * speed and moves forward in steps below the accepted skew, each after all processes have followed the
 * previous one. The liveness times stored in PostgreSQL move with it while the processes are briefly frozen:
 * for them no time has passed, so nothing changes its owner.
 */
import { chmodSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type pg from 'pg'
import { clockFromFile, engineClockFromFile } from './faketime.ts'
import type { Program } from './program.ts'
import type { Environment } from './postern-command.ts'
import { waitFor } from '../wait.ts'

/** The largest skew that a process accepts. */
export const maxSkewSeconds = 3_600
const stepMs = (maxSkewSeconds - 60) * 1000
const followed = "PostgreSQL's clock jumped forward"

const stillAlive = `update members set seen_at = seen_at + $1::float8 * interval '1 ms'`

export class MovedClock {
  readonly #folder = mkdtempSync(join(tmpdir(), 'postern-clock-'))
  readonly #file = join(this.#folder, 'offset')
  #offsetMs = 0

  constructor(startMs: number) {
    // PostgreSQL runs as another user, who must read the folder.
    this.#write(startMs - Date.now(), 0o755)
  }

  /** Environment of the gateways, the commands and the carrier. */
  get environment(): Environment {
    return clockFromFile(this.#file)
  }

  get postgresEnvironment(): Environment {
    return engineClockFromFile(this.#file)
  }

  now(): number {
    return Date.now() + this.#offsetMs
  }

  /** Call it while nothing is in progress. */
  async moveTo(targetMs: number, database: pg.Pool, processes: readonly Program[]): Promise<void> {
    while (this.now() < targetMs) {
      const byMs = Math.min(stepMs, targetMs - this.now())
      const before = processes.map(countFollowed)
      for (const process of processes) process.freeze()
      this.#write(this.#offsetMs + byMs)
      await database.query(stillAlive, [byMs])
      for (const process of processes) process.thaw()
      // Processes treat shorter steps as drift and do not log them.
      if (byMs < 5_000) return
      await waitFor(
        'every process to follow the clock',
        () => processes.every((process, index) => countFollowed(process) > before[index]!),
        { timeoutMs: 20_000, everyMs: 50 },
      )
    }
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true, force: true })
  }

  #write(offsetMs: number, mode?: number): void {
    this.#offsetMs = Math.round(offsetMs / 1000) * 1000
    const next = `${this.#file}.next`
    writeFileSync(next, `+${this.#offsetMs / 1000}`)
    renameSync(next, this.#file)
    if (mode !== undefined) chmodSync(this.#folder, mode)
  }
}

function countFollowed({ logFile }: Program): number {
  return readFileSync(logFile, 'utf8').split(followed).length - 1
}
