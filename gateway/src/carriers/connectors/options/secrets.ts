/**
 * Resolves and masks secrets in the options of a route. A reference keeps a secret out of the database: `env:NAME` is an
 * environment variable, `file:/path` the content of a file without its last line break.
 */
import { createHash, timingSafeEqual } from 'node:crypto'
import { realpathSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { ConfigError, environmentName, loadSettings } from '../../../platform/settings/config.ts'
import { processEnvironment, type Environment } from '../../../platform/settings/environment.ts'
import { isEncrypted } from '../../../platform/encryption/ciphertext.ts'
import {
  findReferencedFile,
  isReference,
  resolveReference,
  UnreadableFileError,
  findReferencedVariable,
} from '../../../platform/settings/secret-reference.ts'
import type { ConnectorKind, RequestPreview } from './kind.ts'
import { canBeReference, mapTexts, type Options } from './option-schema.ts'

/** Replaces a secret in output. */
export const mask = '***'

/** Shorter values are not secrets, and masking them would garble the text. */
const minMaskedLength = 4

/** Throws a ConfigError that names the variable or file that is missing or not allowed, never its content. */
export function resolveSecrets(options: Options, environment: Environment = processEnvironment): Options {
  return mapTexts(options, (text) => resolveSecret(text, environment))
}

/** Leaves references that cannot be resolved unchanged. */
export function resolveKnownSecrets(options: Options): Options {
  return mapTexts(options, (text) => tryResolveSecret(text) ?? text)
}

/** Lists the values of all references that can be resolved. */
export function referencedValues(options: Options): readonly string[] {
  return listReferences(options).flatMap((text) => tryResolveSecret(text) ?? [])
}

/** Returns whether a secret can change while the process runs. */
export function hasFileSecrets(options: Options): boolean {
  return listReferences(options).some((text) => findReferencedFile(text) !== undefined)
}

/**
 * Throws if the value of an option is a reference, although the option is no secret, certificate, address or account name. The
 * values of other options are not kept secret, so the referenced value could be revealed.
 */
export function requireReferencePlaces({ name, options: schema }: ConnectorKind, options: Options): void {
  mapTexts(
    options,
    (text, schemas, path) => {
      // An unknown option is reported by `parseOptions`.
      if (isReference(text) && schemas.length > 0 && !schemas.some(canBeReference))
        throw new Error(
          `${name} options: ${path} must not be a reference (env: or file:); only secrets, certificates, addresses and account names can be`,
        )
      return text
    },
    [schema],
  )
}

/** Masks values in a text, including their JSON-escaped and URL-encoded forms. */
export function maskValues(text: string, values: readonly string[]): string {
  return values
    .filter((value) => value.length >= minMaskedLength)
    .toSorted((left, right) => right.length - left.length)
    .flatMap((value) => [value, JSON.stringify(value).slice(1, -1), encodeURIComponent(value)])
    .reduce((shown, spelling) => shown.replaceAll(spelling, mask), text)
}

export function maskPreview(preview: RequestPreview, values: readonly string[]): RequestPreview {
  const headers = Object.entries(preview.headers).map(([name, value]) => [name, maskValues(value, values)])
  return {
    method: preview.method,
    url: maskValues(preview.url, values),
    headers: Object.fromEntries(headers) as RequestPreview['headers'],
    body: preview.body === null ? null : maskValues(preview.body, values),
  }
}

/** Compares in constant time. Hashing gives both sides the same length. */
export function isSameSecret(given: string, expected: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(given), digest(expected))
}

function listReferences(options: Options): string[] {
  const references: string[] = []
  mapTexts(options, (text) => {
    if (isReference(text)) references.push(text)
    return text
  })
  return references
}

function tryResolveSecret(text: string): string | undefined {
  try {
    return resolveSecret(text, processEnvironment)
  } catch {
    return undefined
  }
}

function resolveSecret(text: string, environment: Environment): string {
  if (isEncrypted(text))
    throw new ConfigError(
      'cannot decrypt the options of the route: the stored value was modified or copied from another route. Save the route again',
    )
  const origin = 'referenced by the options of a route'
  const variable = findReferencedVariable(text)
  const path = findReferencedFile(text)
  if (variable !== undefined) requireAllowedVariable(variable, environment)
  else if (path !== undefined) requireAllowedFile(path, `${origin} as ${text}`, environment)
  return resolveReference(text, origin, environment)
}

// Operators who edit routes choose the host that a secret is sent to, so settings limit what routes can reference.

function requireAllowedVariable(name: string, environment: Environment): void {
  const { routeVariables } = loadSettings(['routeVariables'], environment)
  const isListed = routeVariables.some((listed) =>
    listed.endsWith('*') ? name.startsWith(listed.slice(0, -1)) : name === listed,
  )
  if (!isListed)
    throw new ConfigError(
      `route options must not reference env:${name}: ${environmentName('routeVariables')} allows ${routeVariables.join(', ')}. Rename the variable, or add its name to the setting`,
    )
}

function requireAllowedFile(path: string, origin: string, environment: Environment): void {
  const { routeFiles } = loadSettings(['routeFiles'], environment)
  const refused = new ConfigError(
    `route options must not reference file:${path}: ${environmentName('routeFiles')} allows files below ${routeFiles.join(', ')}. Move the file there, or add its directory to the setting`,
  )
  // Checked before the file system is read, so that the error does not reveal whether the file exists.
  if (!routeFiles.some((directory) => isBelow(resolve(path), resolve(directory)))) throw refused
  const real = findRealPath(path)
  // `resolveReference` reports a missing file.
  if (real === undefined) return
  if (!routeFiles.some((directory) => isBelow(real, findRealPath(directory)))) throw refused
  // Reading a pipe would block the process.
  if (!statSync(real).isFile()) throw new UnreadableFileError(path, 'not a regular file', origin)
}

function isBelow(path: string, directory: string | undefined): boolean {
  return directory !== undefined && path.startsWith(directory.endsWith('/') ? directory : `${directory}/`)
}

function findRealPath(path: string): string | undefined {
  try {
    return realpathSync(path)
  } catch {
    return undefined
  }
}
