/** The command line of the bench as one table, which parses, checks and prints the help. Pure. */
import { parseArgs, type ParseArgsConfig } from 'node:util'

export class UsageError extends Error {
  override readonly name = 'UsageError'
}

export type ScenarioName = 'accept' | 'pipeline'

export interface BenchOptions {
  readonly scenarios: readonly ScenarioName[]
  readonly rounds: number
  readonly seconds: number
  readonly connections: number
  readonly messages: number
  readonly workers: number
  /** Owners of our route; with as many workers each of them submits a share. */
  readonly owners: number
  readonly window: number
  /** Closed messages in the store of the pipeline that is compared with an empty one; 0: no such comparison. */
  readonly stored: number
  readonly json: boolean
  readonly profile: boolean
  /** Encrypts messages on our side. */
  readonly encrypted: boolean
  /** Enables all trust rules on our side. */
  readonly rules: boolean
}

interface Figure {
  readonly standard: number
  readonly min: number
  readonly max: number
  readonly help: string
}

const figures = {
  rounds: { standard: 5, min: 1, max: 50, help: 'measured rounds of each side, in turn' },
  seconds: { standard: 4, min: 1, max: 60, help: 'accept: length of one round' },
  messages: { standard: 20_000, min: 100, max: 500_000, help: 'pipeline: messages of one round' },
  connections: {
    standard: 64,
    min: 1,
    max: 1000,
    help: 'kept-alive HTTP connections, one request each at a time',
  },
  workers: { standard: 1, min: 1, max: 8, help: 'pipeline: worker processes of each side' },
  owners: { standard: 1, min: 1, max: 16, help: 'pipeline: owners of our route, which share its work' },
  stored: {
    standard: 0,
    min: 0,
    max: 100_000_000,
    help: 'pipeline: compare a store of N closed messages with an empty one, instead of the sides',
  },
  window: { standard: 100, min: 1, max: 1000, help: 'pipeline: unanswered submits of one SMPP session' },
} satisfies Record<string, Figure>

type FigureName = keyof typeof figures
const figureNames = Object.keys(figures) as FigureName[]

export function helpText(): string {
  const rows = figureNames.map(
    (name) => `  ${`--${name} N`.padEnd(18)}${figures[name].help} (default ${figures[name].standard})`,
  )
  return `npm run bench -- [accept] [pipeline] [options]     both when none is named

${rows.join('\n')}
  --engines today   RabbitMQ 4.0, PostgreSQL 17 and Valkey 8.1 of Debian 13 (see npm run services -- help)
  --engines next    RabbitMQ 4.3, PostgreSQL 18 and Valkey 9 of the next Debian
  --profile         takes CPU profiles of our processes and prints where their time goes
  --encrypted       runs our gateway with POSTERN_ENCRYPT_MESSAGES=yes
  --rules           runs our gateway with all trust rules enabled
  --json            ends the output with one line of JSON
`
}

export function parseOptions(args: readonly string[]): BenchOptions | 'help' {
  const { values, positionals } = parse(args)
  if (values['help'] === true) return 'help'
  const unknown = positionals.find((name) => name !== 'accept' && name !== 'pipeline')
  if (unknown !== undefined) {
    throw new UsageError(`unknown scenario '${unknown}'; the scenarios are accept and pipeline`)
  }
  const scenarios = positionals.length === 0 ? ['accept', 'pipeline'] : positionals
  const numbers = Object.fromEntries(figureNames.map((name) => [name, figureOf(name, values[name])]))
  return {
    scenarios: [...new Set(scenarios)] as ScenarioName[],
    ...(numbers as Record<FigureName, number>),
    json: values['json'] === true,
    profile: values['profile'] === true,
    encrypted: values['encrypted'] === true,
    rules: values['rules'] === true,
  }
}

const choices: NonNullable<ParseArgsConfig['options']> = {
  ...Object.fromEntries(figureNames.map((name) => [name, { type: 'string' as const }])),
  help: { type: 'boolean' },
  json: { type: 'boolean' },
  profile: { type: 'boolean' },
  encrypted: { type: 'boolean' },
  rules: { type: 'boolean' },
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], allowPositionals: true, options: choices })
  } catch (error) {
    throw new UsageError((error as Error).message)
  }
}

function figureOf(name: FigureName, given: unknown): number {
  const { standard, min, max } = figures[name]
  const figure = given === undefined ? standard : Number(given)
  if (!Number.isInteger(figure) || figure < min || figure > max) {
    throw new UsageError(`--${name} must be a whole number from ${min} to ${max}`)
  }
  return figure
}
