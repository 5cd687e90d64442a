/**
 * Secrets in the options of a route, by reference: `env:NAME` is a variable of the process, `file:/path` the content of a
 * file without its last line break. At any depth, so that no secret has to be in the database. What they may name is in
 * `allowed-references.ts`, where they may stand in `reference-places.ts`. Called by the registry.
 */
import { ConfigError, processEnvironment } from '../platform/config.ts'
import { isEncrypted } from '../platform/encryption/ciphertext.ts'
import { fileOf, isReference, resolveReference, type Environment } from '../platform/secret-reference.ts'
import { requireAllowed } from './allowed-references.ts'

export type Options = Readonly<Record<string, unknown>>

/** The options of the deepest connector have about six. */
export const maxLevels = 32

/** Throws a ConfigError that names the variable or file that is missing or not allowed, and never its content. */
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
  if (isEncrypted(text))
    throw new ConfigError(
      'the options of the route cannot be decrypted: their stored value was changed, or copied from another route. Save the route again with `postern route put`',
    )
  const origin = 'the options of a route refer to it'
  requireAllowed(text, `${origin} as ${text}`, environment)
  return resolveReference(text, origin, environment)
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
