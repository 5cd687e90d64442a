/** Parses and checks the command line of the bench and writes its help. Options with a number are defined in one table. */
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
  /** Owners of our route. With at least as many workers, each submits a share. */
  readonly owners: number
  readonly window: number
  /** Closed messages in the filled store that is compared with an empty one; 0 disables the comparison. */
  readonly stored: number
  readonly json: boolean
  readonly profile: boolean
  /** Encrypts messages on our side. */
  readonly encrypted: boolean
  /** Enables all trust rules on our side. */
  readonly rules: boolean
}

interface NumberOption {
  readonly defaultValue: number
  readonly min: number
  readonly max: number
  readonly help: string
}

const numberOptions = {
  rounds: { defaultValue: 5, min: 1, max: 50, help: 'measured rounds of each variant, in turn' },
  seconds: { defaultValue: 4, min: 1, max: 60, help: 'accept: length of one round' },
  messages: { defaultValue: 20_000, min: 100, max: 500_000, help: 'pipeline: messages of one round' },
  connections: {
    defaultValue: 64,
    min: 1,
    max: 1000,
    help: 'keep-alive HTTP connections, one request at a time each',
  },
  workers: { defaultValue: 1, min: 1, max: 8, help: 'pipeline: worker processes per variant' },
  owners: { defaultValue: 1, min: 1, max: 16, help: 'pipeline: owners of our route' },
  stored: {
    defaultValue: 0,
    min: 0,
    max: 100_000_000,
    help: 'pipeline: compare a store of N closed messages with an empty one instead',
  },
  window: { defaultValue: 100, min: 1, max: 1000, help: 'pipeline: SMPP window per session' },
} satisfies Record<string, NumberOption>

type NumberOptionName = keyof typeof numberOptions
const numberOptionNames = Object.keys(numberOptions) as NumberOptionName[]

export function helpText(): string {
  const rows = numberOptionNames.map(
    (name) =>
      `  ${`--${name} N`.padEnd(18)}${numberOptions[name].help} (default ${numberOptions[name].defaultValue})`,
  )
  return `npm run suite -- bench [accept] [pipeline] [options]     default: both

${rows.join('\n')}
  --engines today   RabbitMQ 4.0, PostgreSQL 17 and Valkey 8.1 of Debian 13 (see npm run engines -- help)
  --engines next    RabbitMQ 4.3, PostgreSQL 18 and Valkey 9 of the next Debian
  --profile         record CPU profiles of our processes and print the time by function
  --encrypted       run our gateway with POSTERN_ENCRYPT_MESSAGES=yes
  --rules           run our gateway with all trust rules enabled
  --json            end the output with one line of JSON
`
}

export function parseOptions(args: readonly string[]): BenchOptions | 'help' {
  const { values, positionals } = parse(args)
  if (values['help'] === true) return 'help'
  const unknown = positionals.find((name) => name !== 'accept' && name !== 'pipeline')
  if (unknown !== undefined) {
    throw new UsageError(`unknown scenario '${unknown}'; use accept or pipeline`)
  }
  const scenarios = positionals.length === 0 ? ['accept', 'pipeline'] : positionals
  const numbers = Object.fromEntries(
    numberOptionNames.map((name) => [name, parseNumberOption(name, values[name])]),
  )
  return {
    scenarios: [...new Set(scenarios)] as ScenarioName[],
    ...(numbers as Record<NumberOptionName, number>),
    json: values['json'] === true,
    profile: values['profile'] === true,
    encrypted: values['encrypted'] === true,
    rules: values['rules'] === true,
  }
}

const choices: NonNullable<ParseArgsConfig['options']> = {
  ...Object.fromEntries(numberOptionNames.map((name) => [name, { type: 'string' as const }])),
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

function parseNumberOption(name: NumberOptionName, given: unknown): number {
  const { defaultValue, min, max } = numberOptions[name]
  const value = given === undefined ? defaultValue : Number(given)
  if (!Number.isInteger(value) || value < min || value > max) {
    throw new UsageError(`--${name} must be an integer from ${min} to ${max}`)
  }
  return value
}
