/**
 * The environment of the process; no other file reads it except `main.ts` and `healthcheck.ts`. A command over
 * the admin API reads a few variables here, without the schema of the settings, which takes longer to load than
 * the command needs to run.
 */
import { environmentName } from './setting-name.ts'

export type Environment = Readonly<Record<string, string | undefined>>

export const processEnvironment: Environment = process.env

/** Reports whether a setting has a value. */
export function isGiven(key: string, environment: Environment = processEnvironment): boolean {
  return readVariable(environmentName(key), environment) !== undefined
}

/** Returns undefined if the variable is empty. */
export function readVariable(
  name: string,
  environment: Environment = processEnvironment,
): string | undefined {
  return environment[name] === '' ? undefined : environment[name]
}
