/** `postern login`: verifies an operator key against an admin API and stores both as a profile. */
import { isGiven } from '../../platform/settings/environment.ts'
import { FailedError } from '../errors.ts'
import { readSecret } from '../read-secret.ts'
import { readAddress } from '../client/address.ts'
import { AdminClient } from '../client/client.ts'
import { hasCode } from '../../operations/errors.ts'
import { HttpTransport } from '../client/http.ts'
import { refuseClient } from '../client/open.ts'
import { profilesPath, readProfiles, saveProfiles } from '../client/profiles.ts'
import { table, type Result } from '../result.ts'

export async function signIn(options: { readonly url: string; readonly profile: string }): Promise<Result> {
  const { profile } = options
  const url = readAddress(options.url, '--url')
  // Reads the profiles before the prompt, so that an unusable file is reported first.
  readProfiles()
  const key = await readSecret('Operator key: ', 'the operator key')
  const { name, role, keyId } = await new AdminClient(new HttpTransport({ url, key, profile }))
    .call('showMe', {})
    .catch((error: unknown) => {
      if (!hasCode(error, 'first-key')) throw error
      throw new FailedError(
        `${error.message}: run \`postern operator key rotate\` with POSTERN_ADMIN_URL=${url} and the key in POSTERN_OPERATOR_KEY, then sign in with the new one`,
      )
    })
  refuseClient({ name, role })
  // Read again, because the prompt may have been open for a long time.
  const { profiles } = readProfiles()
  saveProfiles({ current: profile, profiles: { ...profiles, [profile]: { url, key } } })
  const precedence = isGiven('databaseUrl')
    ? 'POSTERN_DATABASE_URL is set: commands use that database'
    : isGiven('adminUrl')
      ? 'POSTERN_ADMIN_URL is set: commands use that URL'
      : null
  const next =
    precedence !== null
      ? `${precedence} unless --profile ${profile} is given.`
      : `Commands now use it; the key is stored in ${profilesPath()}.`
  return {
    json: { profile, url, operator: name, role, keyId },
    lines: [
      ...table([
        ['profile', profile],
        ['url', url],
        ['operator', name],
        ['role', role],
      ]),
      next,
    ],
  }
}
