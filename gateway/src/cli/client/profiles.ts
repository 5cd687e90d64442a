/**
 * Profiles of the command line: admin API addresses with operator keys, in one file that only its owner can
 * read. Changes are written to a new file that replaces the old one, so that an interrupted command leaves a
 * complete file.
 */
import { randomUUID } from 'node:crypto'
import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, isAbsolute, join } from 'node:path'
import { readVariable } from '../../platform/settings/environment.ts'
import { FailedError } from '../errors.ts'
import { nameFormat } from './profile-name.ts'

const maxProfiles = 100
const maxBytes = 64 * 1024

export interface Profile {
  readonly url: string
  readonly key: string
}

export interface Profiles {
  /** The profile of commands that name none. */
  readonly current: string | null
  readonly profiles: Readonly<Record<string, Profile>>
}

export const noProfiles: Profiles = { current: null, profiles: {} }

/** The XDG specification requires that a relative XDG_CONFIG_HOME is ignored. */
export function profilesPath(): string {
  const base = readVariable('XDG_CONFIG_HOME')
  const folder = base !== undefined && isAbsolute(base) ? base : join(homedir(), '.config')
  return join(folder, 'postern', 'profiles.json')
}

export function readProfiles(path = profilesPath()): Profiles {
  let text: string
  try {
    const { mode, size } = statSync(path)
    if ((mode & 0o077) !== 0)
      throw new FailedError(
        `other users can read ${path}, which contains operator keys; run \`chmod 600 ${path}\`, and replace the keys if the file was exposed`,
      )
    if (size > maxBytes) throw wrongFile(path, `it exceeds ${maxBytes} bytes`)
    text = readFileSync(path, 'utf8')
  } catch (error) {
    if (error instanceof FailedError) throw error
    const { code = 'error' } = error as NodeJS.ErrnoException
    // Without a home directory there is no profile either.
    if (code === 'ENOENT' || code === 'ENOTDIR') return noProfiles
    throw new FailedError(`cannot read ${path} (${code}); make it readable only for yourself`)
  }
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch {
    throw wrongFile(path, 'it is not JSON')
  }
  if (isProfiles(parsed)) return parsed
  throw wrongFile(path, 'it is not a profiles file')
}

/** Checked without a schema library, which would take most of the startup time of a command. */
function isProfiles(parsed: unknown): parsed is Profiles {
  if (typeof parsed !== 'object' || parsed === null) return false
  const { current, profiles } = parsed as Record<string, unknown>
  if (current !== null && typeof current !== 'string') return false
  if (typeof profiles !== 'object' || profiles === null) return false
  return Object.entries(profiles).every(([name, profile]) => nameFormat.test(name) && isProfile(profile))
}

function isProfile(parsed: unknown): parsed is Profile {
  if (typeof parsed !== 'object' || parsed === null) return false
  const { url, key } = parsed as Record<string, unknown>
  return typeof url === 'string' && url.length <= 300 && typeof key === 'string' && key.length <= 200
}

function wrongFile(path: string, why: string): FailedError {
  return new FailedError(`cannot use ${path}: ${why}; delete it and sign in again with \`postern login\``)
}

export function saveProfiles(profiles: Profiles, path = profilesPath()): void {
  if (Object.keys(profiles.profiles).length > maxProfiles)
    throw new FailedError(
      `at most ${maxProfiles} profiles allowed; remove one with \`postern logout --profile NAME\``,
    )
  const next = `${path}.${randomUUID()}`
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    // Create the file exclusively, so that nothing is written through an existing link.
    writeFileSync(next, `${JSON.stringify(profiles, null, 2)}\n`, { mode: 0o600, flag: 'wx' })
    // The process's umask may have removed permissions.
    chmodSync(next, 0o600)
    renameSync(next, path)
  } catch (error) {
    rmSync(next, { force: true })
    throw new FailedError(
      `cannot write ${path} (${(error as NodeJS.ErrnoException).code ?? 'error'}); set XDG_CONFIG_HOME to another directory`,
    )
  }
}

/** Stores the key that replaced the key of a profile. */
export function replaceKey(name: string, key: string): void {
  const { current, profiles } = readProfiles()
  const { url } = requireProfile({ current, profiles }, name)
  saveProfiles({ current, profiles: { ...profiles, [name]: { url, key } } })
}

export function requireProfile({ profiles }: Profiles, name: string): Profile {
  const profile = Object.hasOwn(profiles, name) ? profiles[name] : undefined
  if (profile !== undefined) return profile
  const names = Object.keys(profiles)
  throw new FailedError(
    names.length === 0
      ? `profile '${name}' not found; create it with \`postern login --url https://… --profile ${name}\``
      : `profile '${name}' not found; profiles: ${names.join(', ')}`,
  )
}
