/**
 * Limits the variables and files that the options of routes refer to. Operators who change routes choose the host that a
 * secret is sent to, so references are limited to the lists of two settings, in every process and command.
 */
import { realpathSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { ConfigError, environmentName, loadSettings } from '../platform/config.ts'
import { fileOf, UnreadableFileError, variableOf, type Environment } from '../platform/secret-reference.ts'

/** Throws a ConfigError with the reason. `origin` as in `resolveReference`. Text that is not a reference is allowed. */
export function requireAllowed(text: string, origin: string, environment: Environment): void {
  const variable = variableOf(text)
  const path = fileOf(text)
  if (variable !== undefined) requireVariable(variable, environment)
  else if (path !== undefined) requireFile(path, origin, environment)
}

function requireVariable(name: string, environment: Environment): void {
  const { routeVariables } = loadSettings(['routeVariables'], environment)
  const isListed = routeVariables.some((listed) =>
    listed.endsWith('*') ? name.startsWith(listed.slice(0, -1)) : name === listed,
  )
  if (!isListed)
    throw new ConfigError(
      `route options must not reference env:${name}: ${environmentName('routeVariables')} allows ${routeVariables.join(', ')}. Rename the variable, or add its name to the setting`,
    )
}

function requireFile(path: string, origin: string, environment: Environment): void {
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
  if (!statSync(real).isFile()) throw new UnreadableFileError(path, 'it is not a file', origin)
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
