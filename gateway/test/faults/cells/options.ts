import { parseArgs } from 'node:util'

export interface CellsOptions {
  readonly seed: number
  /** Messages per cell in the end-to-end part. */
  readonly messages: number
  /** Rate per account while a cell is killed. */
  readonly messagesPerSecond: number
  /** Measured time before and after the kill. */
  readonly measuredMs: number
}

export function parseCellsOptions(args: readonly string[]): CellsOptions {
  const { values } = parseArgs({
    args: [...args],
    options: { seed: { type: 'string', default: '1' }, short: { type: 'boolean', default: false } },
  })
  const seed = Number(values.seed)
  return values.short
    ? { seed, messages: 150, messagesPerSecond: 25, measuredMs: 6_000 }
    : { seed, messages: 1_000, messagesPerSecond: 50, measuredMs: 20_000 }
}
