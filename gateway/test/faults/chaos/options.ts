import { parseArgs } from 'node:util'

export interface ChaosOptions {
  /** One API, broker node and PostgreSQL, and each fault once. */
  readonly short: boolean
  /** Determines the order of faults, their targets and the messages. */
  readonly seed: number
  readonly messagesPerSecond: number
  /** Minimum duration of the load, which does not end before the last fault is repaired. */
  readonly minutes: number
  /** Minimum seconds between faults. A fault starts only after the previous one is repaired. */
  readonly every: number
  /** Runs only faults whose name contains one of these strings; all if empty. */
  readonly only: readonly string[]
  /** Writes the table to docs/evidence/chaos.md. */
  readonly write: boolean
}

export const usage = `npm run suite -- chaos [options]

  --short          one node of everything, each fault once, as in CI
  --minutes N      minimum duration (default 10; with --short the duration of the faults)
  --every N        minimum seconds between faults (default 20; with --short 2)
  --rate N         messages per second (default 400; with --short 200)
  --seed N         repeat the order of faults of an earlier run
  --only TEXT,…    only faults whose name contains one of these strings
  --write          write the table of faults to docs/evidence/chaos.md
`

export function parseChaosOptions(args: readonly string[]): ChaosOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      short: { type: 'boolean', default: false },
      seed: { type: 'string' },
      rate: { type: 'string' },
      minutes: { type: 'string' },
      every: { type: 'string' },
      only: { type: 'string', multiple: true, default: [] },
      write: { type: 'boolean', default: false },
    },
  })
  const { short } = values
  const number = (name: 'seed' | 'rate' | 'minutes' | 'every', defaultValue: number): number =>
    values[name] === undefined ? defaultValue : parseInteger(name, values[name])
  return {
    short,
    seed: number('seed', Date.now() % 1_000_000),
    messagesPerSecond: number('rate', short ? 200 : 400),
    minutes: number('minutes', short ? 0 : 10),
    every: number('every', short ? 2 : 20),
    only: values.only.flatMap((texts) => texts.split(',')).filter((text) => text !== ''),
    write: values.write,
  }
}

function parseInteger(name: string, text: string): number {
  if (!/^\d+$/.test(text)) throw new Error(`--${name} must be an integer, got '${text}'\n${usage}`)
  return Number(text)
}
