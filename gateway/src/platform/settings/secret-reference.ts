/**
 * References to secrets: `env:NAME` is an environment variable of the process, `file:/path` the content of a
 * file without its last line break.
 */
import { readFileSync } from 'node:fs'
import { ConfigError } from './config-error.ts'
import { processEnvironment, type Environment } from './environment.ts'

/** Large enough for a certificate chain, which has a few thousand characters. */
const maxSecretLength = 64 * 1024

/** A file that cannot be read or contains no secret. */
export class UnreadableFileError extends ConfigError {
  override readonly name = 'UnreadableFileError'
  /** Has the same text for every cause, for callers who must not find out which files exist. */
  readonly causeless: string

  constructor(path: string, cause: string, origin: string) {
    const advice = `but ${origin}. Every process must be able to read it`
    super(`cannot read ${path} (${cause}), ${advice}.`)
    this.causeless = `cannot read ${path}, ${advice}: a file of at most ${maxSecretLength} characters.`
  }
}

/** Reports whether a text refers to a secret instead of being one. */
export function isReference(text: string): boolean {
  return findReferencedVariable(text) !== undefined || findReferencedFile(text) !== undefined
}

/** Returns the referenced path, or undefined if the text does not refer to a file. */
export function findReferencedFile(text: string): string | undefined {
  return /^file:(\/.+)$/.exec(text)?.[1]
}

/** Returns the referenced variable, or undefined if the text does not refer to one. */
export function findReferencedVariable(text: string): string | undefined {
  return /^env:([A-Z][A-Z0-9_]*)$/.exec(text)?.[1]
}

/**
 * Returns the secret; a text that is not a reference is returned unchanged. `origin` continues the sentence
 * of the error, for example "the options of a route refer to it". Throws a ConfigError that names the
 * variable or file, but never its content.
 */
export function resolveReference(
  text: string,
  origin: string,
  environment: Environment = processEnvironment,
): string {
  const name = findReferencedVariable(text)
  if (name !== undefined) {
    const secret = environment[name]
    if (secret !== undefined) return secret
    throw new ConfigError(`${name} is not set, but ${origin} as ${text}. Set it for every process.`)
  }
  const path = findReferencedFile(text)
  return path === undefined ? text : readSecretFile(path, `${origin} as ${text}`)
}

function readSecretFile(path: string, origin: string): string {
  let content: string
  try {
    content = readFileSync(path, 'utf8')
  } catch (error) {
    throw new UnreadableFileError(path, (error as NodeJS.ErrnoException).code ?? 'error', origin)
  }
  if (content.length > maxSecretLength)
    throw new UnreadableFileError(path, `it has more than ${maxSecretLength} characters`, origin)
  return content.replace(/\r?\n$/, '')
}
