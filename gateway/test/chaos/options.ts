/** The command line of the chaos run. */
import { parseArgs } from 'node:util'

export interface ChaosOptions {
  /** One API, one broker node, one PostgreSQL, each fault once: about 80 s. */
  readonly short: boolean
  /** Decides the order of the faults, their targets and the messages. */
  readonly seed: number
  /** Messages a second. */
  readonly rate: number
  /** Minimum length of the load; it never ends before the last fault is repaired. */
  readonly minutes: number
  /** Seconds from one fault to the next; longer while the previous fault is not repaired. */
  readonly every: number
  /** Only faults whose name contains one of these texts; all when empty. */
  readonly only: readonly string[]
  /** Write the table into docs/chaos.md. */
  readonly write: boolean
}

export const usage = `npm run chaos -- [options]

  --short          one node of everything, each fault once: what CI runs
  --minutes N      how long at least (10; with --short as long as the faults take)
  --every N        seconds from one fault to the next (20; with --short 2)
  --rate N         messages a second (400; with --short 200)
  --seed N         repeats the order of faults of an earlier run
  --only TEXT,…    only faults whose name contains one of these texts
  --write          write the table of faults into docs/chaos.md
`

export function parseOptions(args: readonly string[]): ChaosOptions {
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
  const number = (name: 'seed' | 'rate' | 'minutes' | 'every', standard: number): number =>
    values[name] === undefined ? standard : whole(name, values[name])
  return {
    short,
    seed: number('seed', Date.now() % 1_000_000),
    rate: number('rate', short ? 200 : 400),
    minutes: number('minutes', short ? 0 : 10),
    every: number('every', short ? 2 : 20),
    only: values.only.flatMap((texts) => texts.split(',')).filter((text) => text !== ''),
    write: values.write,
  }
}

function whole(name: string, text: string): number {
  if (!/^\d+$/.test(text)) throw new Error(`--${name} must be a whole number, not '${text}'\n${usage}`)
  return Number(text)
}
