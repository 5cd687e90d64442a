/** Which admin API a command uses, and with whose key. */

export interface Target {
  /** Origin, such as `https://admin.example.com`. */
  readonly url: string
  readonly key: string
  /** The profile that it comes from; null: from POSTERN_ADMIN_URL and POSTERN_OPERATOR_KEY. */
  readonly profile: string | null
}

/** What to do when its key does not work. */
export function nextSignIn({ url, profile }: Pick<Target, 'url' | 'profile'>): string {
  return profile === null
    ? 'set POSTERN_OPERATOR_KEY to a key that works'
    : `sign in again with \`postern login --url ${url} --profile ${profile}\``
}

/** For errors: where the address comes from. */
export function sourceOf({ profile }: Pick<Target, 'profile'>): string {
  return profile === null ? 'POSTERN_ADMIN_URL' : `the profile '${profile}'`
}
