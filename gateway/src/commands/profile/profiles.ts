/** `postern logout`, `postern profile list` and `postern profile use`. */
import { readOperatorKeyId } from '../../operators/key.ts'
import { isGiven } from '../../platform/environment.ts'
import { FailedError } from '../errors.ts'
import { readProfiles, requireProfile, saveProfiles } from '../client/profiles.ts'
import { table, type Result } from '../result.ts'

/** What the environment has goes before the current profile. */
function environmentFirst(): string[] {
  if (isGiven('databaseUrl'))
    return ['POSTERN_DATABASE_URL is set: commands work on that database unless --profile is given.']
  if (isGiven('adminUrl'))
    return ['POSTERN_ADMIN_URL is set: commands use that address unless --profile is given.']
  return []
}

export function signOut(options: { readonly profile?: string }): Promise<Result> {
  const stored = readProfiles()
  const name = options.profile ?? stored.current
  if (name === null)
    throw new FailedError('there is no current profile; name one with --profile, see `postern profile list`')
  requireProfile(stored, name)
  const others = Object.entries(stored.profiles).filter(([other]) => other !== name)
  const profiles = Object.fromEntries(others)
  saveProfiles({ current: stored.current === name ? null : stored.current, profiles })
  return done({ profile: name, removed: true }, [
    `${name}: removed from this machine. Its key keeps working elsewhere until it is revoked.`,
  ])
}

export function listProfiles(): Promise<Result> {
  const { current, profiles } = readProfiles()
  const listed = Object.entries(profiles).map(([name, { url, key }]) => ({
    ...{ name, url, keyId: readOperatorKeyId(key), current: name === current },
  }))
  const rows = listed.map((one) => [one.name, one.url, one.keyId ?? '-', one.current ? 'current' : ''])
  return done({ profiles: listed }, [
    ...(rows.length === 0
      ? ['there is no profile; `postern login --url https://…` makes one']
      : table([['profile', 'url', 'key', ''], ...rows])),
    ...(rows.length > 0 ? environmentFirst() : []),
  ])
}

export function chooseProfile(name: string): Promise<Result> {
  const stored = readProfiles()
  const { url } = requireProfile(stored, name)
  saveProfiles({ ...stored, current: name })
  return done({ profile: name, url }, [`${name}: commands use ${url} from now on`, ...environmentFirst()])
}

function done(json: object, lines: string[]): Promise<Result> {
  return Promise.resolve({ json, lines })
}
