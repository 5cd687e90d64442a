/**
 * Loads the settings from the environment, once at startup. A missing or invalid setting prevents the start;
 * the error names the variable, the problem and an example.
 */
import { Type, type Static, type TSchema } from 'typebox'
import { Value } from 'typebox/value'
import { ConfigError } from './config-error.ts'
import { ConfigSchema } from './config-schema.ts'
import { processEnvironment, type Environment } from './environment.ts'
import { environmentName } from './setting-name.ts'
import { verifiedDatabaseUrl } from './tls.ts'

export type Config = Static<typeof ConfigSchema>

export { ConfigError, environmentName }

export const settingNames = Object.keys(ConfigSchema.properties) as (keyof Config)[]

export function loadConfig(environment: Environment = processEnvironment): Config {
  return loadSettings(settingNames, environment)
}

/** Loads the settings of a role. A worker issues and reads no tokens, so it runs without their secret. */
export function loadRoleConfig(role: string, environment: Environment = processEnvironment): Config {
  if (role !== 'worker') return loadConfig(environment)
  const keys = settingNames.filter((key) => key !== 'tokenSecret')
  return { ...loadSettings(keys, environment), tokenSecret: '' }
}

/** Loads only these settings, so that a command needs no secret that it does not use. */
export function loadSettings<Key extends keyof Config>(
  keys: readonly Key[],
  environment: Environment = processEnvironment,
): Pick<Config, Key> {
  const schema = Type.Object(Object.fromEntries(keys.map((key) => [key, ConfigSchema.properties[key]])))
  const raw: Record<string, unknown> = {}
  for (const [key, setting] of Object.entries<TSchema>(schema.properties)) {
    const value = environment[environmentName(key)]
    if (value === undefined || value === '') continue
    raw[key] = parse(setting, value)
  }
  const candidate = Value.Default(schema, raw)
  if (Value.Check(schema, candidate)) {
    const config = candidate as Partial<Config>
    const { timeZone, databaseUrl } = config
    if (timeZone !== undefined && !isTimeZone(timeZone))
      throw new ConfigError(explain('timeZone', environment))
    const verified = databaseUrl === undefined ? {} : { databaseUrl: verifiedDatabaseUrl(databaseUrl) }
    return { ...config, ...verified } as Pick<Config, Key>
  }
  const [first] = Value.Errors(schema, candidate)
  throw new ConfigError(explain(keyOf(first), environment))
}

/** Leaves `80.5` and `true` as strings, which the schema refuses for a number. */
function parse(schema: TSchema, value: string): unknown {
  if ('items' in schema) return value.split(',').map((item) => item.trim())
  if ((schema as { type?: string }).type === 'integer' && /^-?\d{1,15}$/.test(value)) return Number(value)
  return value
}

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en-US', { timeZone: name })
    return true
  } catch {
    return false
  }
}

function keyOf(error: { instancePath: string; params: object } | undefined): string {
  const params: { requiredProperties?: string[] } | undefined = error?.params
  return params?.requiredProperties?.[0] ?? error?.instancePath.split('/')[1] ?? ''
}

interface Setting {
  readonly type?: string
  readonly description?: string
  readonly default?: unknown
  readonly minimum?: number
  readonly maximum?: number
  readonly expects?: string
  readonly example?: string
}

/** Explains the problem without quoting the value, which may be a secret or contain a password. */
function explain(key: string, environment: Environment): string {
  const name = environmentName(key)
  const setting = ((ConfigSchema.properties as Record<string, unknown>)[key] ?? {}) as Setting
  const isMissing = (environment[name] ?? '') === ''
  const fault = isMissing ? `is required. It must be ${expected(setting)}` : `must be ${expected(setting)}`
  const example = setting.example ?? String(setting.default)
  return `${name} ${fault}, for example ${name}=${example}. Meaning: ${setting.description ?? key}`
}

function expected({ expects, type, minimum, maximum }: Setting): string {
  if (expects !== undefined) return expects
  if (type !== 'integer') return 'a text'
  return maximum === undefined
    ? `an integer of at least ${minimum}`
    : `an integer from ${minimum} to ${maximum}`
}
