/**
 * The clock of a whole installation: PostgreSQL and every process read it from one file. It runs at normal speed and is
 * moved forward in steps of less than the skew that the processes are set to accept, each after all of them have followed
 * the one before. What PostgreSQL has stored about who is alive is moved with it, while the processes are frozen for a
 * moment: for them no time has passed, so nothing changes its owner.
 */
import { chmodSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type pg from 'pg'
import { clockFromFile, engineClockFromFile } from './faketime.ts'
import type { Program } from './program.ts'
import type { Environment } from './postern-command.ts'
import { waitFor } from '../wait.ts'

/** The largest that a process accepts. */
export const maxSkewSeconds = 3_600
const stepMs = (maxSkewSeconds - 60) * 1000
const followed = "PostgreSQL's clock jumped forward"

const stillAlive = `update members set seen_at = seen_at + $1::float8 * interval '1 ms'`

export class MovedClock {
  readonly #folder = mkdtempSync(join(tmpdir(), 'postern-clock-'))
  readonly #file = join(this.#folder, 'offset')
  #offsetMs = 0

  constructor(startMs: number) {
    // PostgreSQL runs under an account of its own.
    this.#write(startMs - Date.now(), 0o755)
  }

  /** For the gateways, the commands and the carrier. */
  get environment(): Environment {
    return clockFromFile(this.#file)
  }

  get postgresEnvironment(): Environment {
    return engineClockFromFile(this.#file)
  }

  now(): number {
    return Date.now() + this.#offsetMs
  }

  /** Call it while nothing is under way. */
  async moveTo(targetMs: number, database: pg.Pool, processes: readonly Program[]): Promise<void> {
    while (this.now() < targetMs) {
      const byMs = Math.min(stepMs, targetMs - this.now())
      const before = processes.map(countFollowed)
      for (const process of processes) process.freeze()
      this.#write(this.#offsetMs + byMs)
      await database.query(stillAlive, [byMs])
      for (const process of processes) process.thaw()
      // Shorter steps are drift to them, and not logged.
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
