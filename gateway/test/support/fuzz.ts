/**
 * How much the fuzz tests of connectors try, and how they change an input. `POSTERN_FUZZ_RUNS` is the number of inputs of
 * each kind, `POSTERN_FUZZ_SEED` repeats a run whose seed a failed test printed in its name.
 */
import type { Random } from './smpp/mutate.ts'

const maxOctets = 100_000

/** `quick` is what `npm test` tries. */
export function fuzzRuns(quick: number): number {
  return Number(process.env['POSTERN_FUZZ_RUNS'] ?? quick)
}

export const fuzzSeed = Number(process.env['POSTERN_FUZZ_SEED'] ?? Date.now() >>> 0)

/** A change that knows the format. */
export type Change = (octets: Buffer, random: Random) => Buffer

/**
 * Up to three changes: cut, a range removed, a piece inserted, an octet or digit replaced, a part repeated, or one of
 * `special`.
 */
export function mutate(
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
