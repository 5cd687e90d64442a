/**
 * Profiles of the command line: addresses of admin APIs with the key of the operator, in one file that only its owner may read. Written as a
 * whole to a new file that replaces the former one, so that a command that is stopped leaves one of the two.
 */
import { randomUUID } from 'node:crypto'
import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, isAbsolute, join } from 'node:path'
import { readVariable } from '../../platform/environment.ts'
import { FailedError } from '../errors.ts'
import { nameFormat } from './profile-name.ts'

const maxProfiles = 100
const maxBytes = 64 * 1024

export interface Profile {
  readonly url: string
  readonly key: string
}

export interface Profiles {
  /** The profile that a command uses when it names none. */
  readonly current: string | null
  readonly profiles: Readonly<Record<string, Profile>>
}

export const noProfiles: Profiles = { current: null, profiles: {} }

/** A relative XDG_CONFIG_HOME is to be ignored, says its specification. */
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
        `others may read ${path}, which holds keys of operators; run \`chmod 600 ${path}\`, and replace the keys if it was shared`,
      )
    if (size > maxBytes) throw wrongFile(path, `it has more than ${maxBytes} bytes`)
    text = readFileSync(path, 'utf8')
  } catch (error) {
    if (error instanceof FailedError) throw error
    const { code = 'error' } = error as NodeJS.ErrnoException
    // Without a home folder there is no profile either.
    if (code === 'ENOENT' || code === 'ENOTDIR') return noProfiles
    throw new FailedError(`cannot read ${path} (${code}); make it readable for yourself alone`)
  }
  let found: unknown
  try {
    found = JSON.parse(text)
  } catch {
    throw wrongFile(path, 'it is not JSON')
  }
  if (isProfiles(found)) return found
  throw wrongFile(path, 'it does not have the form of profiles')
}

/** Checked without a schema library, which would take most of the time that a command needs to start. */
function isProfiles(found: unknown): found is Profiles {
  if (typeof found !== 'object' || found === null) return false
  const { current, profiles } = found as Record<string, unknown>
  if (current !== null && typeof current !== 'string') return false
  if (typeof profiles !== 'object' || profiles === null) return false
  return Object.entries(profiles).every(([name, profile]) => nameFormat.test(name) && isProfile(profile))
}

function isProfile(found: unknown): found is Profile {
  if (typeof found !== 'object' || found === null) return false
  const { url, key } = found as Record<string, unknown>
  return typeof url === 'string' && url.length <= 300 && typeof key === 'string' && key.length <= 200
}

function wrongFile(path: string, why: string): FailedError {
  return new FailedError(`cannot use ${path}: ${why}; delete it and sign in again with \`postern login\``)
}

export function saveProfiles(profiles: Profiles, path = profilesPath()): void {
  if (Object.keys(profiles.profiles).length > maxProfiles)
    throw new FailedError(
      `there are ${maxProfiles} profiles already; remove one with \`postern logout --profile NAME\``,
    )
  const next = `${path}.${randomUUID()}`
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    // Exclusive: what lies there already, such as a link, is not written through.
    writeFileSync(next, `${JSON.stringify(profiles, null, 2)}\n`, { mode: 0o600, flag: 'wx' })
    // The mask of the process may have taken rights away, and never gives any.
    chmodSync(next, 0o600)
    renameSync(next, path)
  } catch (error) {
    rmSync(next, { force: true })
    throw new FailedError(
      `cannot write ${path} (${(error as NodeJS.ErrnoException).code ?? 'error'}); give another folder in XDG_CONFIG_HOME`,
    )
  }
}

/** For a key that was replaced. */
export function replaceKey(name: string, key: string): void {
  const { current, profiles } = readProfiles()
  const { url } = requireProfile({ current, profiles }, name)
  saveProfiles({ current, profiles: { ...profiles, [name]: { url, key } } })
}

export function requireProfile({ profiles }: Profiles, name: string): Profile {
  const found = Object.hasOwn(profiles, name) ? profiles[name] : undefined
  if (found !== undefined) return found
  const names = Object.keys(profiles)
  throw new FailedError(
    names.length === 0
      ? `there is no profile '${name}'; \`postern login --url https://… --profile ${name}\` makes it`
      : `there is no profile '${name}'; there are ${names.join(', ')}`,
  )
}
