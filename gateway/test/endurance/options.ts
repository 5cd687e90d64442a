/** The command lines of this folder: whole numbers with defaults, and --write. Prints help; rejects anything else. */
import { parseArgs, type ParseArgsConfig } from 'node:util'

export interface Figure {
  readonly default: number
  readonly help: string
}

export type Figures = Readonly<Record<string, Figure>>

export interface Command<F extends Figures> {
  readonly name: string
  readonly about: string
  readonly figures: F
  /** The page that `--write` writes; without one there is no `--write`. */
  readonly page?: string
}

export type Options<F extends Figures> = { readonly [Name in keyof F]: number } & { readonly write: boolean }

/** Reads the command line of this process. Exits with 0 after --help, and with 2 on an error. */
export function readOptions<F extends Figures>(command: Command<F>): Options<F> {
  try {
    const options = parseOptions(command, process.argv.slice(2))
    if (options !== 'help') return options
    process.stdout.write(helpOf(command))
    process.exit(0)
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n\n${helpOf(command)}`)
    process.exit(2)
  }
}

export function parseOptions<F extends Figures>(
  { figures, page }: Command<F>,
  args: readonly string[],
): Options<F> | 'help' {
  const known: NonNullable<ParseArgsConfig['options']> = { help: { type: 'boolean' } }
  if (page !== undefined) known.write = { type: 'boolean' }
  for (const name of Object.keys(figures)) known[name] = { type: 'string' }
  const { values } = parseArgs({ args: [...args], options: known })
  if (values.help === true) return 'help'
  const numbers = Object.entries(figures).map(([name, figure]) => {
    const text = values[name]
    if (text === undefined) return [name, figure.default]
    if (!/^\d+$/.test(String(text)))
      throw new Error(`--${name} must be a whole number, not '${String(text)}'`)
    return [name, Number(text)]
  })
  return { ...Object.fromEntries(numbers), write: values.write === true } as Options<F>
}

export function helpOf({ name, about, figures, page }: Command<Figures>): string {
  const rows = Object.entries(figures).map(([option, figure]): [string, string] => [
    `--${option} N`,
    `${figure.help} (default ${figure.default})`,
  ])
  if (page !== undefined) rows.push(['--write', `writes the result into ${page}`])
  const lines = rows.map(([option, help]) => `  ${option.padEnd(16)}${help}\n`)
  return `npm run ${name} -- [options]: ${about}\n${lines.join('')}`
}
