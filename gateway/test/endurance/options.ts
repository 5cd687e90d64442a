/** Command lines of this folder: whole numbers and switches, each with a default. Prints help, refuses the rest. */
import { parseArgs, type ParseArgsConfig } from 'node:util'

export interface Figure {
  readonly standard: number
  readonly help: string
}

export type Figures = Readonly<Record<string, Figure>>

export type Options<F extends Figures> = { readonly [Name in keyof F]: number } & { readonly write: boolean }

export function readOptions<F extends Figures>(
  command: string,
  about: string,
  figures: F,
  args: readonly string[],
): Options<F> {
  const options: NonNullable<ParseArgsConfig['options']> = {
    write: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  }
  for (const name of Object.keys(figures)) options[name] = { type: 'string' }
  const { values } = parseArgs({ args: [...args], options })
  if (values.help === true) {
    const rows = Object.entries(figures).map(
      ([name, { standard, help }]) => `  ${`--${name} N`.padEnd(16)}${help} (default ${standard})\n`,
    )
    process.stdout.write(
      `npm run ${command} -- [options]: ${about}\n${rows.join('')}  --write         writes the report into docs/\n`,
    )
    process.exit(0)
  }
  const numbers = Object.entries(figures).map(([name, { standard }]) => {
    const text = values[name]
    if (text === undefined) return [name, standard]
    if (!/^\d+$/.test(String(text))) throw new Error(`--${name} wants a whole number, not '${String(text)}'`)
    return [name, Number(text)]
  })
  return { ...Object.fromEntries(numbers), write: values.write === true } as Options<F>
}
