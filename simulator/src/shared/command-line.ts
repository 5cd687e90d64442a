/**
 * Defines a carrier command from one table of options: it parses and checks the command line, and returns the
 * help, which lists the carrier's behaviours as well. Invalid options throw a UsageError with a message for the user.
 */
import { parseArgs } from 'node:util'
import type { EndingRow } from './endings.ts'

export class UsageError extends Error {
  override readonly name = 'UsageError'
}

export interface OptionRow<Options> {
  readonly flag: string
  readonly name: keyof Options & string
  readonly type: 'text' | 'number' | 'switch'
  readonly help: string
  readonly min?: number
  readonly max?: number
  /** Allowed values of a text option. */
  readonly values?: readonly string[]
}

export interface StartedCarrier {
  readonly port: number
  readonly controlPort: number
  close(): Promise<void>
}

interface CommandDefinition<Options extends object> {
  readonly name: string
  /** Lines of the help below the usage. */
  readonly about: readonly string[]
  readonly rows: readonly OptionRow<Options>[]
  readonly behaviours: readonly EndingRow[]
  /** Defaults of the command line, with fixed ports. Tests use free ports instead. */
  readonly defaults: Options
  readonly start: (options: Options) => Promise<StartedCarrier>
}

export interface Command<Options extends object = object> {
  readonly name: string
  readonly behaviours: readonly EndingRow[]
  help(): string
  /** Returns the given options, or 'help' if the help was requested. */
  parse(args: readonly string[]): Partial<Options> | 'help'
  start(args: readonly string[]): Promise<StartedCarrier | 'help'>
}

export const MAX_PORT = 65_535

function parseNumber<Options>(row: OptionRow<Options>, value: string): number {
  const number = Number(value)
  const min = row.min ?? 0
  const max = row.max ?? Number.MAX_SAFE_INTEGER
  if (!/^\d+$/.test(value) || number < min || number > max) {
    const range = row.max === undefined ? `of at least ${min}` : `from ${min} to ${max}`
    throw new UsageError(`--${row.flag} must be an integer ${range}, got '${value}'`)
  }
  return number
}

function parseValue<Options>(row: OptionRow<Options>, value: string | boolean): string | number | boolean {
  if (row.type === 'number') return parseNumber(row, String(value))
  if (row.values !== undefined && !row.values.includes(String(value))) {
    throw new UsageError(`--${row.flag} must be one of ${row.values.join(', ')}, got '${value}'`)
  }
  return value
}

function helpLine<Options extends object>(row: OptionRow<Options>, defaults: Options): string {
  const { flag, name, type, help, values } = row
  const preset = defaults[name]
  const defaultText = type === 'switch' || preset === undefined ? '' : ` (default ${String(preset)})`
  const operand = type === 'switch' ? '' : type === 'number' ? ' <n>' : ' <text>'
  const allowed = values === undefined ? '' : `: ${values.join(', ')}`
  return `  --${`${flag}${operand}`.padEnd(26)}${help}${allowed}${defaultText}`
}

export function defineCommand<Options extends object>(
  definition: CommandDefinition<Options>,
): Command<Options> {
  const { name, about, rows, behaviours, defaults, start } = definition
  const parse = (args: readonly string[]): Partial<Options> | 'help' => {
    const flags = Object.fromEntries(
      rows.map(({ flag, type }) => [flag, { type: type === 'switch' ? 'boolean' : 'string' } as const]),
    )
    let values: Record<string, string | boolean | undefined>
    try {
      ;({ values } = parseArgs({
        args: [...args],
        options: { ...flags, help: { type: 'boolean', short: 'h' } },
      }))
    } catch (error) {
      throw new UsageError(error instanceof Error ? error.message : String(error))
    }
    if (values['help'] === true) return 'help'
    const given = rows.flatMap((row) => {
      const value = values[row.flag]
      return value === undefined ? [] : [[row.name, parseValue(row, value)] as const]
    })
    return Object.fromEntries(given) as Partial<Options>
  }
  return {
    name,
    behaviours,
    parse,
    help: () =>
      [
        `Usage: node simulator/src/main.ts ${name} [options]`,
        '',
        ...about,
        '',
        'Options:',
        ...rows.map((row) => helpLine(row, defaults)),
        '',
        'Behaviours by the last four digits of the recipient:',
        ...behaviours.map(({ ending, summary }) => `  ${ending}  ${summary}`),
        '',
      ].join('\n'),
    async start(args) {
      const options = parse(args)
      return options === 'help' ? 'help' : start({ ...defaults, ...options })
    },
  }
}
