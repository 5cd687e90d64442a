/** `postern logout`, `postern profile list` and `postern profile use`. */
import { readOperatorKeyId } from '../../identity/operators/key.ts'
import { isGiven } from '../../platform/settings/environment.ts'
import { FailedError } from '../errors.ts'
import { readProfiles, requireProfile, saveProfiles } from '../client/profiles.ts'
import { table, type Result } from '../result.ts'

/** Returns a note if environment variables take precedence over the current profile. */
function notePrecedence(): string[] {
  if (isGiven('databaseUrl'))
    return ['POSTERN_DATABASE_URL is set: commands use that database unless --profile is given.']
  if (isGiven('adminUrl'))
    return ['POSTERN_ADMIN_URL is set: commands use that URL unless --profile is given.']
  return []
}

export function signOut(options: { readonly profile?: string }): Promise<Result> {
  const stored = readProfiles()
  const name = options.profile ?? stored.current
  if (name === null)
    throw new FailedError('no current profile; specify --profile, see `postern profile list`')
  requireProfile(stored, name)
  const others = Object.entries(stored.profiles).filter(([other]) => other !== name)
  const profiles = Object.fromEntries(others)
  saveProfiles({ current: stored.current === name ? null : stored.current, profiles })
  return done({ profile: name, removed: true }, [
    `${name}: removed from this machine. Its key stays valid elsewhere until it is revoked.`,
  ])
}

export function listProfiles(): Promise<Result> {
  const { current, profiles } = readProfiles()
  const listed = Object.entries(profiles).map(([name, { url, key }]) => ({
    name,
    url,
    keyId: readOperatorKeyId(key),
    current: name === current,
  }))
  const rows = listed.map((row) => [row.name, row.url, row.keyId ?? '-', row.current ? 'current' : ''])
  return done({ profiles: listed }, [
    ...(rows.length === 0
      ? ['no profiles; create one with `postern login --url https://…`']
      : table([['profile', 'url', 'key', ''], ...rows])),
    ...(rows.length > 0 ? notePrecedence() : []),
  ])
}

export function chooseProfile(name: string): Promise<Result> {
  const stored = readProfiles()
  const { url } = requireProfile(stored, name)
  saveProfiles({ ...stored, current: name })
  return done({ profile: name, url }, [`${name}: commands now use ${url}`, ...notePrecedence()])
}

function done(json: object, lines: string[]): Promise<Result> {
  return Promise.resolve({ json, lines })
}
