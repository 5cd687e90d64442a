/**
 * Settings and mutations of the connector fuzz tests. `POSTERN_FUZZ_RUNS` is the number of inputs per parser.
 * `POSTERN_FUZZ_SEED` repeats a run with the seed in the name of a failed test.
 */
import assert from 'node:assert/strict'
import { writeSync } from 'node:fs'
import { cpuMs } from './measure/cpu-time.ts'
import type { Random } from './smpp/mutate.ts'

const maxOctets = 100_000
/** Maximum CPU time of one input. */
const maxInputMs = 500
const reportEvery = 10_000

/** Returns the number of inputs; `quick` is the number for `npm test`. */
export function fuzzRuns(quick: number): number {
  return Number(process.env['POSTERN_FUZZ_RUNS'] ?? quick)
}

export const fuzzSeed = Number(process.env['POSTERN_FUZZ_SEED'] ?? Date.now() >>> 0)

/** Progress of a parser, sent to the command that runs the test. */
export interface FuzzProgress {
  readonly parser: string
  readonly inputs: number
  readonly cpuMs: number
  readonly peakKb: number
}

/**
 * A parser under test. Counts its inputs and finds slow ones. `npm run suite -- fuzz:carriers` reads its
 * progress from the file descriptor `POSTERN_FUZZ_FD`.
 */
export class FuzzedParser {
  readonly #name: string
  readonly #startedCpu = process.cpuUsage()
  #inputs = 0
  #slowestMs = 0

  constructor(name: string) {
    this.#name = name
  }

  /** Parses one input. */
  read<T>(work: () => T): T {
    const started = performance.now()
    const result = work()
    // The process may have been suspended, so measure the CPU time of a slow input again.
    if (performance.now() - started > maxInputMs) this.#slowestMs = Math.max(this.#slowestMs, cpuMs(work))
    if (++this.#inputs % reportEvery === 0) this.#report()
    return result
  }

  /** Call after the last input. */
  end(): void {
    this.#report()
    assert.ok(this.#slowestMs < maxInputMs, `the slowest input took ${this.#slowestMs} ms`)
  }

  #report(): void {
    const descriptor = process.env['POSTERN_FUZZ_FD']
    if (descriptor === undefined) return
    const { user, system } = process.cpuUsage(this.#startedCpu)
    const progress: FuzzProgress = {
      parser: this.#name,
      inputs: this.#inputs,
      cpuMs: (user + system) / 1_000,
      peakKb: process.resourceUsage().maxRSS,
    }
    writeSync(Number(descriptor), `${JSON.stringify(progress)}\n`)
  }
}

/** A mutation that respects the format. */
export type Change = (octets: Buffer, random: Random) => Buffer

/**
 * Applies up to three changes: truncation, a removed range, an inserted piece, a replaced byte or digit, a
 * repeated part, or one of `special`.
 */
export function mutateOctets(
  random: Random,
  start: Buffer,
  pieces: readonly string[],
  special: readonly Change[] = [],
): Buffer {
  let octets = start
  for (let changes = random(4); changes > 0; changes--) {
    const at = random(octets.length + 1)
    const [before, after] = [octets.subarray(0, at), octets.subarray(at)]
    const which = random(6 + special.length)
    octets = which < 6 ? change(which) : special[which - 6]!(octets, random)

    function change(nth: number): Buffer {
      switch (nth) {
        case 0:
          return before
        case 1:
          return Buffer.concat([before, after.subarray(random(after.length + 1))])
        case 2:
          return Buffer.concat([before, Buffer.from(pieces[random(pieces.length)]!, 'latin1'), after])
        case 3:
          return Buffer.concat([before, Buffer.from([random(256)]), after.subarray(1)])
        case 4:
          return Buffer.concat([before, Buffer.from([0x30 + random(10)]), after.subarray(1)])
        default:
          return Buffer.concat([before, octets.subarray(random(octets.length + 1)), after]).subarray(
            0,
            maxOctets,
          )
      }
    }
  }
  return octets
}
