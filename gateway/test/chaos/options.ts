/** The command line of the chaos run. */
import { parseArgs } from 'node:util'

export interface ChaosOptions {
  /** Only the faults of the short run. */
  readonly short: boolean
  readonly seed: number
  /** Messages a second. */
  readonly rate: number
  /** How long the load lasts at least; it never ends before the last fault is mended. */
  readonly seconds: number
  /** Only these faults, when any are named. */
  readonly only: readonly string[]
}

export function parseOptions(args: readonly string[]): ChaosOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      short: { type: 'boolean', default: false },
      seed: { type: 'string' },
      rate: { type: 'string', default: '200' },
      seconds: { type: 'string' },
      only: { type: 'string', multiple: true, default: [] },
    },
  })
  return {
    short: values.short,
    seed: values.seed === undefined ? Date.now() % 1_000_000 : whole('seed', values.seed),
    rate: whole('rate', values.rate),
    seconds: values.seconds === undefined ? 60 : whole('seconds', values.seconds),
    only: values.only,
  }
}

function whole(name: string, text: string): number {
  if (!/^\d+$/.test(text)) throw new Error(`--${name} wants a whole number, not '${text}'`)
  return Number(text)
}
