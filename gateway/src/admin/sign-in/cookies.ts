/**
 * The cookies of a browser: that of a session, and that of a sign-in with a provider, until the browser is back. Both are sent to this origin
 * alone, to no script, and with requests of other sites only when they open a page. Pure.
 */
import { ConfigError, type Config } from '../../platform/config.ts'
import { isLoopback } from './provider-settings.ts'

export interface CookieNames {
  /** Sent over HTTPS alone. */
  readonly secure: boolean
  readonly session: string
  readonly provider: string
}

/**
 * Browsers take a cookie with the prefix `__Host-` only over HTTPS and for one host, so that no other host can set it. On loopback
 * without HTTPS they would refuse it: there the names are plain. Throws a ConfigError when the cookie would cross a network in clear.
 */
export function cookieNames(
  { adminUrl, httpClear }: Pick<Config, 'adminUrl' | 'httpClear'>,
  hasCertificate: boolean,
): CookieNames {
  const isHttps = adminUrl === undefined ? httpClear === 'proxy' : adminUrl.startsWith('https:')
  if (adminUrl !== undefined && !isHttps && !isLoopback(new URL(adminUrl)))
    throw new ConfigError(
      'POSTERN_ADMIN_URL must start with https://, unless its host is loopback: passwords and sessions must not cross a network in clear.',
    )
  const secure = hasCertificate || isHttps
  const prefix = secure ? '__Host-' : ''
  return { secure, session: `${prefix}postern-session`, provider: `${prefix}postern-provider` }
}

/** The first cookie of the name. Node bounds the length of the header. */
export function readCookie(header: string | undefined, name: string): string | undefined {
  for (const pair of (header ?? '').split(';')) {
    const [key, value] = pair.split('=', 2)
    if (key!.trim() === name && value !== undefined) return value.trim()
  }
  return undefined
}

/** A value of letters, digits, `-` and `_`. Without `maxAgeSeconds` it ends with the browser; with 0 it is removed. */
export function formatCookie(
  name: string,
  value: string,
  { secure, maxAgeSeconds }: { readonly secure: boolean; readonly maxAgeSeconds?: number },
): string {
  const age = maxAgeSeconds === undefined ? '' : `; Max-Age=${maxAgeSeconds}`
  return `${name}=${value}; Path=/${age}; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`
}
