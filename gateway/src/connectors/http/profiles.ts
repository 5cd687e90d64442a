/** The ready-made profiles of public APIs, `profiles/*.json`. Read and checked when one is used for the first time. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { nearest, parseOptions } from '../options.ts'
import { Profile } from './profile.ts'

const folder = join(import.meta.dirname, 'profiles')
const known = new Map<string, Profile>()

export const profileNames: readonly string[] = readdirSync(folder)
  .filter((file) => file.endsWith('.json'))
  .map((file) => file.slice(0, -'.json'.length))
  .sort()

/** Throws an error with the nearest name. */
export function profileOf(name: string): Profile {
  const found = known.get(name)
  if (found !== undefined) return found
  if (!profileNames.includes(name)) {
    const near = nearest(name, profileNames)
    throw new Error(
      `profile must be one of ${profileNames.join(', ')}${near === undefined ? '' : `; did you mean ${near}?`}`,
    )
  }
  const content: unknown = JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8'))
  const profile = parseOptions(`profile ${name}`, Profile, content)
  known.set(name, profile)
  return profile
}
