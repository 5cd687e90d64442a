import { parseArgs } from 'node:util'

export interface BatchesOptions {
  /** Determines the moments of kills, pauses and cut connections. */
  readonly seed: number
  /** Runs small batches side by side, as in CI. */
  readonly short: boolean
  /** Ends the output with one line of JSON. */
  readonly json: boolean
  /** Runs only the scenarios whose name contains this text. */
  readonly only: string
  readonly lines: number
  readonly codes: number
  /** Maximum time from request to carrier of 99 % of the one-time codes. CI shares its processor with other checks. */
  readonly codesP99Ms: number
  /** Maximum growth of the API's memory. A small batch proves nothing about it. */
  readonly maxMegabytes: number
  /** Lines of the batch that is fed while processes are killed. */
  readonly killLines: number
  readonly kills: number
  /** Time limit of its messages. One whose receipt was lost with a process ends then. */
  readonly killTtlSeconds: number
  /** Batches that are paused or cancelled, and how many of them run at once. */
  readonly runs: number
  readonly runsAtOnce: number
}

export const usage = `npm run suite -- batches [options]

  --short       small batches, as in CI
  --seed N      repeat the moments of an earlier run
  --lines N     lines of the large batch (default 1000000, with --short 5000)
  --only TEXT   only scenarios whose name contains the text
  --json        end the output with one line of JSON
`

export function parseBatchesOptions(args: readonly string[]): BatchesOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      short: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      seed: { type: 'string', default: String(Date.now() % 1_000_000) },
      lines: { type: 'string' },
      only: { type: 'string', default: '' },
    },
  })
  const { short, json, only } = values
  const sizes = short
    ? {
        codes: 40,
        codesP99Ms: 1_000,
        maxMegabytes: Infinity,
        killLines: 1_000,
        kills: 1,
        killTtlSeconds: 30,
        runs: 3,
        runsAtOnce: 3,
      }
    : {
        codes: 1_000,
        codesP99Ms: 150,
        maxMegabytes: 64,
        killLines: 30_000,
        kills: 10,
        killTtlSeconds: 120,
        runs: 100,
        runsAtOnce: 10,
      }
  const lines = Number(values.lines ?? (short ? 5_000 : 1_000_000))
  return { seed: Number(values.seed), short, json, only, lines, ...sizes }
}
