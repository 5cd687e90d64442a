/**
 * Cookies of a browser: one for a session, and one for a sign-in with a provider until the browser returns.
 * Both are sent only to this origin, are hidden from scripts, and accompany requests of other sites only if
 * they open a page.
 */
import { ConfigError, type Config } from '../../platform/settings/config.ts'
import type { CookieNames } from '../operation.ts'
import { isLoopback } from './provider-settings.ts'

/**
 * Browsers accept a cookie with the prefix `__Host-` only over HTTPS and for one host, so that no other host
 * can set it. Without HTTPS they would reject it, so the names are plain then. Throws a ConfigError if
 * POSTERN_ADMIN_URL is an address at which the cookie would cross a network in plaintext.
 */
export function cookieNames(
  { adminUrl, httpPlaintext }: Pick<Config, 'adminUrl' | 'httpPlaintext'>,
  hasCertificate: boolean,
): CookieNames {
  const isHttps = adminUrl === undefined ? httpPlaintext === 'proxy' : adminUrl.startsWith('https:')
  if (adminUrl !== undefined && !isHttps && !isLoopback(new URL(adminUrl)))
    throw new ConfigError(
      'POSTERN_ADMIN_URL must start with https://, unless its host is loopback: passwords and sessions must not cross a network in plaintext.',
    )
  const secure = hasCertificate || isHttps
  const prefix = secure ? '__Host-' : ''
  return { secure, session: `${prefix}postern-session`, provider: `${prefix}postern-provider` }
}

/** Returns the first cookie of the name. Node limits the length of the header. */
export function readCookie(header: string | undefined, name: string): string | undefined {
  for (const pair of (header ?? '').split(';')) {
    const [key, value] = pair.split('=', 2)
    if (key!.trim() === name && value !== undefined) return value.trim()
  }
  return undefined
}

/**
 * Formats a value of letters, digits, `-` and `_`. Without `maxAgeSeconds` the cookie ends with the browser;
 * 0 removes it.
 */
export function formatCookie(
  name: string,
  value: string,
  { secure, maxAgeSeconds }: { readonly secure: boolean; readonly maxAgeSeconds?: number },
): string {
  const age = maxAgeSeconds === undefined ? '' : `; Max-Age=${maxAgeSeconds}`
  return `${name}=${value}; Path=/${age}; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`
}
