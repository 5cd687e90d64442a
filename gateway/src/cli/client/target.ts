/** The admin API and the key that a command uses. */

export interface Target {
  /** The origin, such as `https://admin.example.com`. */
  readonly url: string
  readonly key: string
  /** The profile of the key; `null` if it comes from POSTERN_ADMIN_URL and POSTERN_OPERATOR_KEY. */
  readonly profile: string | null
}

/** Returns the next step if the key does not work. */
export function suggestSignIn({ url, profile }: Pick<Target, 'url' | 'profile'>): string {
  return profile === null
    ? 'set POSTERN_OPERATOR_KEY to a valid key'
    : `sign in again with \`postern login --url ${url} --profile ${profile}\``
}

/** Returns the source of the address, for errors. */
export function describeSource({ profile }: Pick<Target, 'profile'>): string {
  return profile === null ? 'POSTERN_ADMIN_URL' : `the profile '${profile}'`
}
