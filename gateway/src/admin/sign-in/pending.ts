/**
 * A sign-in that the provider has not answered yet. It is kept in a cookie of the browser that began it, so that any process can end it and
 * no other browser can: what the provider sends back must fit to it. Pure.
 */
import { Type, type Static } from 'typebox'
import { Value } from 'typebox/value'

const text = Type.String({ minLength: 1, maxLength: 200 })
const Pending = Type.Object({
  state: text,
  nonce: text,
  /** Of PKCE. */
  verifier: text,
  /** Where the browser goes afterwards. */
  path: Type.String({ maxLength: 600 }),
  endsAt: Type.Integer(),
})

export type PendingSignIn = Static<typeof Pending>

/** For the person at the provider. */
export const pendingSeconds = 600

export function formatPending(pending: PendingSignIn): string {
  return Buffer.from(JSON.stringify(pending)).toString('base64url')
}

/** Null when it is damaged or past its end. */
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

/** A path of this server; `/` for everything else, such as the address of another one. */
export function localPath(given: string | undefined): string {
  if (given === undefined || given.length > 500 || !/^\/(?![/\\])[!-[\]-~]*$/.test(given)) return '/'
  const base = 'http://local.invalid'
  return URL.canParse(given, base) && new URL(given, base).origin === base ? given : '/'
}
