/**
 * Secrets in the options of a route, by reference: `env:NAME` is a variable of the process, `file:/path` the content of a
 * file without its last line break. At any depth, so that no secret has to be in the database. Called by the registry.
 */
import { readFileSync } from 'node:fs'
import { ConfigError, processEnvironment } from '../platform/config.ts'

export type Options = Readonly<Record<string, unknown>>
type Environment = Readonly<Record<string, string | undefined>>

/** A certificate chain has a few thousand characters. */
const maxSecretBytes = 64 * 1024
/** The options of the deepest connector have about six. */
const maxLevels = 32

/** Throws a ConfigError that names the variable or file that is missing, and never its content. */
export function resolveSecrets(options: Options, environment: Environment = processEnvironment): Options {
  return mapTexts(options, (text) => resolveSecret(text, environment), 0) as Options
}

/** As far as possible: a reference that cannot be resolved stays as it is. */
export function resolveKnownSecrets(options: Options): Options {
  return mapTexts(
    options,
    (text) => {
      try {
        return resolveSecret(text, processEnvironment)
      } catch {
        return text
      }
    },
    0,
  ) as Options
}

/** Whether a text still refers to a secret. */
export function isReference(text: string): boolean {
  return variableOf(text) !== undefined || fileOf(text) !== undefined
}

/** What the references in the options stand for, longest first. Unreadable ones are left out. */
export function referencedValues(options: Options): readonly string[] {
  const values = new Set<string>()
  mapTexts(
    options,
    (text) => {
      if (!isReference(text)) return text
      try {
        values.add(resolveSecret(text, processEnvironment))
      } catch {
        // It cannot be shown either.
      }
      return text
    },
    0,
  )
  return [...values].sort((left, right) => right.length - left.length)
}

/** Whether a secret may change while the process runs. */
export function hasFileSecrets(options: Options): boolean {
  let found = false
  mapTexts(
    options,
    (text) => {
      found ||= fileOf(text) !== undefined
      return text
    },
    0,
  )
  return found
}

function resolveSecret(text: string, environment: Environment): string {
  const name = variableOf(text)
  if (name !== undefined) {
    const secret = environment[name]
    if (secret !== undefined) return secret
    throw new ConfigError(
      `${name} is missing, but the options of a route refer to it as env:${name}. Set it for every process.`,
    )
  }
  const path = fileOf(text)
  return path === undefined ? text : readSecretFile(path)
}

function variableOf(text: string): string | undefined {
  return /^env:([A-Z][A-Z0-9_]*)$/.exec(text)?.[1]
}

function fileOf(text: string): string | undefined {
  return /^file:(\/.+)$/.exec(text)?.[1]
}

function readSecretFile(path: string): string {
  const advice = `the options of a route refer to it as file:${path}. Every process must be able to read it.`
  let content: string
  try {
    content = readFileSync(path, 'utf8')
  } catch (error) {
    throw new ConfigError(
      `cannot read ${path} (${(error as NodeJS.ErrnoException).code ?? 'error'}), but ${advice}`,
    )
  }
  if (content.length > maxSecretBytes)
    throw new ConfigError(`${path} has more than ${maxSecretBytes} characters, but ${advice}`)
  return content.replace(/\r?\n$/, '')
}

function mapTexts(value: unknown, map: (text: string) => string, level: number): unknown {
  if (typeof value === 'string') return map(value)
  if (typeof value !== 'object' || value === null) return value
  if (level >= maxLevels)
    throw new ConfigError(`the options of a route are nested in more than ${maxLevels} levels`)
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, map, level + 1))
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, mapTexts(inner, map, level + 1)]),
  )
}
