/**
 * Loads the settings from the environment; no other file reads it. It runs once at start. A missing or wrong setting
 * stops the start with the name of the variable, what is wrong and an example.
 */
import type { Static, TSchema } from 'typebox'
import { Value } from 'typebox/value'
import { ConfigError } from './config-error.ts'
import { ConfigSchema } from './config-schema.ts'
import { verifiedDatabaseUrl } from './tls.ts'

export type Config = Static<typeof ConfigSchema>

export { ConfigError }

type Environment = Readonly<Record<string, string | undefined>>

/** For secrets that the options of a route name. */
export const processEnvironment: Environment = process.env

/** `databaseUrl` → `POSTERN_DATABASE_URL`. */
export function environmentName(key: string): string {
  return `POSTERN_${key.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`
}

export function loadConfig(environment: Environment = process.env): Config {
  const raw: Record<string, unknown> = {}
  for (const [key, schema] of Object.entries<TSchema>(ConfigSchema.properties)) {
    const value = environment[environmentName(key)]
    if (value === undefined || value === '') continue
    raw[key] = parse(schema, value)
  }
  const candidate = Value.Default(ConfigSchema, raw)
  if (Value.Check(ConfigSchema, candidate)) {
    if (!isTimeZone(candidate.timeZone)) throw new ConfigError(explain('timeZone', environment))
    return { ...candidate, databaseUrl: verifiedDatabaseUrl(candidate.databaseUrl) }
  }
  const [first] = Value.Errors(ConfigSchema, candidate)
  throw new ConfigError(explain(keyOf(first), environment))
}

/** Strict: `80.5` and `true` stay texts, which the schema refuses for a number. */
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
  const missing = (error?.params as { requiredProperties?: string[] } | undefined)?.requiredProperties?.[0]
  return missing ?? error?.instancePath.split('/')[1] ?? ''
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

/** The value is not quoted: it may be a secret or contain a password. */
function explain(key: string, environment: Environment): string {
  const name = environmentName(key)
  const setting = ((ConfigSchema.properties as Record<string, unknown>)[key] ?? {}) as Setting
  const missing = (environment[name] ?? '') === ''
  const fault = missing ? `is missing. It must be ${expected(setting)}` : `must be ${expected(setting)}`
  const example = setting.example ?? String(setting.default)
  return `${name} ${fault}, for example ${name}=${example}. Meaning: ${setting.description ?? key}`
}

function expected({ expects, type, minimum, maximum }: Setting): string {
  if (expects !== undefined) return expects
  if (type !== 'integer') return 'a text'
  return maximum === undefined
    ? `a whole number of at least ${minimum}`
    : `a whole number from ${minimum} to ${maximum}`
}
