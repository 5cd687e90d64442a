/**
 * A sign-in that waits for the provider. It is stored in a cookie of the browser that began it, so that any
 * process can complete it but no other browser can: the response of the provider must match it.
 */
import { Type, type Static } from 'typebox'
import { Value } from 'typebox/value'

const text = Type.String({ minLength: 1, maxLength: 200 })
const Pending = Type.Object({
  state: text,
  nonce: text,
  /** PKCE code verifier. */
  verifier: text,
  /** Path to open afterwards. */
  path: Type.String({ maxLength: 600 }),
  endsAt: Type.Integer(),
})

export type PendingSignIn = Static<typeof Pending>

/** Time for the person to sign in at the provider. */
export const pendingSeconds = 600

export function formatPending(pending: PendingSignIn): string {
  return Buffer.from(JSON.stringify(pending)).toString('base64url')
}

/** Returns null if the cookie is damaged or expired. */
export function readPending(cookie: string | undefined, now: number): PendingSignIn | null {
  if (cookie === undefined || cookie.length > 4_000) return null
  try {
    const pending: unknown = JSON.parse(Buffer.from(cookie, 'base64url').toString())
    return Value.Check(Pending, pending) && pending.endsAt > now
      ? { ...pending, path: localPath(pending.path) }
      : null
  } catch {
    return null
  }
}

/** Returns a path of this server; `/` for everything else, such as the URL of another server. */
export function localPath(given: string | undefined): string {
  if (given === undefined || given.length > 500 || !/^\/(?![/\\])[!-[\]-~]*$/.test(given)) return '/'
  const base = 'http://local.invalid'
  return URL.canParse(given, base) && new URL(given, base).origin === base ? given : '/'
}
