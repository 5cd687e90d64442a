/** The command line of `npm run cells`. Pure. */
import { parseArgs } from 'node:util'

export interface Options {
  readonly seed: number
  /** Messages of each cell in the end-to-end part. */
  readonly messages: number
  /** Messages per second and account in the other parts. */
  readonly rate: number
  /** Before and after the kill. */
  readonly windowMs: number
}

export function readOptions(args: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...args],
    options: { seed: { type: 'string', default: '1' }, short: { type: 'boolean', default: false } },
  })
  const seed = Number(values.seed)
  return values.short
    ? { seed, messages: 150, rate: 25, windowMs: 6_000 }
    : { seed, messages: 1_000, rate: 50, windowMs: 20_000 }
}
