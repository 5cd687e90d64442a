// The shell settings after `npm run dev`: the address of the API and a key for curl, and the settings with
// which `postern …` reaches the same installation.

import { writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { projectRoot } from '../engines/paths.ts'

/** Settings of the gateway that its commands need as well. */
const commandSettings = [
  'POSTERN_DATABASE_URL',
  'POSTERN_BROKER_URLS',
  'POSTERN_REDIS_URL',
  'POSTERN_TOKEN_SECRET',
  'POSTERN_QUEUE_PREFIX',
  'POSTERN_OPERATOR_KEY',
] as const

export interface FirstMessage {
  readonly base: string
  readonly key: string
  /** Environment of the gateway process. */
  readonly environment: NodeJS.ProcessEnv
}

/** Returns the lines of a file for `. file` in any POSIX shell: variables, and `postern` as a command. */
export function shellLines({ base, key, environment }: FirstMessage): string {
  const settings = commandSettings.flatMap((name): [string, string][] => {
    const value = environment[name]
    return value === undefined || value === '' ? [] : [[name, value]]
  })
  const variables: [string, string][] = [['POSTERN', base], ['TOKEN', key], ...settings]
  const program = [process.execPath, join(projectRoot, 'gateway/src/main.ts')].map(quote).join(' ')
  return `${variables.map(([name, value]) => `export ${name}=${quote(value)}\n`).join('')}postern() { ${program} "$@"; }\n`
}

function quote(value: string): string {
  return `'${value.replaceAll("'", `'\\''`)}'`
}

/** Returns the path to source, relative to the current directory if possible. */
export function writeEnvironment(folder: string, message: FirstMessage): string {
  const file = join(folder, 'env')
  writeFileSync(file, shellLines(message), { mode: 0o600 })
  const path = relative(process.cwd(), file)
  return path.startsWith('..') ? file : `./${path}`
}
