/**
 * Parses the command lines of this folder: integers with defaults, switches, and --write. Prints help and
 * rejects everything else.
 */
import { parseArgs, type ParseArgsConfig } from 'node:util'

export interface Figure {
  readonly default: number
  readonly help: string
}

export type Figures = Readonly<Record<string, Figure>>

export interface CommandSpec<F extends Figures, S extends string = string> {
  readonly name: string
  readonly about: string
  readonly figures: F
  /** Switches with their help; false by default. */
  readonly switches?: Readonly<Record<S, string>>
  /** The page that `--write` writes; without one `--write` is rejected. */
  readonly page?: string
}

export type Options<F extends Figures, S extends string> = { readonly [Name in keyof F]: number } & {
  readonly [Name in S]: boolean
} & { readonly write: boolean }

/** Parses the command line of this process. Exits with 0 after --help, and with 2 on an error. */
export function readOptions<F extends Figures, S extends string = never>(
  command: CommandSpec<F, S>,
): Options<F, S> {
  try {
    const options = parseOptions(command, process.argv.slice(2))
    if (options !== 'help') return options
    process.stdout.write(formatHelp(command))
    process.exit(0)
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n\n${formatHelp(command)}`)
    process.exit(2)
  }
}

export function parseOptions<F extends Figures, S extends string = never>(
  { figures, switches, page }: CommandSpec<F, S>,
  args: readonly string[],
): Options<F, S> | 'help' {
  const definitions: NonNullable<ParseArgsConfig['options']> = { help: { type: 'boolean' } }
  if (page !== undefined) definitions.write = { type: 'boolean' }
  for (const name of Object.keys(figures)) definitions[name] = { type: 'string' }
  const switchNames = Object.keys(switches ?? {})
  for (const name of switchNames) definitions[name] = { type: 'boolean' }
  const { values } = parseArgs({ args: [...args], options: definitions })
  if (values.help === true) return 'help'
  const numbers = Object.entries(figures).map(([name, figure]) => {
    const text = values[name]
    if (text === undefined) return [name, figure.default]
    if (!/^\d+$/.test(String(text))) throw new Error(`--${name} must be an integer, got '${String(text)}'`)
    return [name, Number(text)]
  })
  const switched = switchNames.map((name) => [name, values[name] === true])
  return { ...Object.fromEntries([...numbers, ...switched]), write: values.write === true } as Options<F, S>
}

export function formatHelp({ name, about, figures, switches, page }: CommandSpec<Figures>): string {
  const rows = Object.entries(figures).map(([option, figure]): [string, string] => [
    `--${option} N`,
    `${figure.help} (default ${figure.default})`,
  ])
  for (const [option, help] of Object.entries<string>(switches ?? {})) rows.push([`--${option}`, help])
  if (page !== undefined) rows.push(['--write', `writes the result into ${page}`])
  const lines = rows.map(([option, help]) => `  ${option.padEnd(16)}${help}\n`)
  return `npm run suite -- ${name} [options]: ${about}\n${lines.join('')}`
}
