/** Reads the settings of the sign-in provider, which are checked at the start, and evaluates its claims. */
import { isOperatorName } from '../../identity/operators/name.ts'
import { roles, type StaffRole } from '../../identity/operators/rights.ts'
import { ConfigError } from '../../platform/settings/config-error.ts'
import type { Config } from '../../platform/settings/config.ts'
import { resolveReference } from '../../platform/settings/secret-reference.ts'

export interface ProviderSettings {
  readonly issuer: URL
  readonly clientId: string
  readonly clientSecret: string | undefined
  readonly scope: string
  readonly nameClaim: string
  readonly roleClaim: string
  /** Role by claim value. */
  readonly roles: ReadonlyMap<string, StaffRole>
  /** Value of POSTERN_ADMIN_URL. */
  readonly publicUrl: string
}

/** Returns null without POSTERN_ADMIN_OIDC_ISSUER. */
export function readProviderSettings(config: Config): ProviderSettings | null {
  const { adminOidcIssuer, adminOidcClientId, adminOidcClientSecret, adminOidcRoles, adminUrl } = config
  if (adminOidcIssuer === undefined) return null
  const needs = 'with POSTERN_ADMIN_OIDC_ISSUER'
  if (adminUrl === undefined)
    throw new ConfigError(
      `POSTERN_ADMIN_URL is required ${needs}; the provider redirects browsers to it. Example: POSTERN_ADMIN_URL=https://console.example.com.`,
    )
  if (adminOidcClientId === undefined)
    throw new ConfigError(`POSTERN_ADMIN_OIDC_CLIENT_ID is required ${needs}.`)
  if (adminOidcRoles === undefined)
    throw new ConfigError(
      `POSTERN_ADMIN_OIDC_ROLES is required ${needs}; without it no operator would have a role. Example: POSTERN_ADMIN_OIDC_ROLES=gateway-admins=admin,on-call=operator.`,
    )
  const issuer = new URL(adminOidcIssuer)
  if (issuer.protocol !== 'https:' && !isLoopback(issuer))
    throw new ConfigError(
      'POSTERN_ADMIN_OIDC_ISSUER must start with https://: responses of the provider must not cross a network in plaintext.',
    )
  return {
    issuer,
    clientId: adminOidcClientId,
    publicUrl: adminUrl,
    clientSecret:
      adminOidcClientSecret === undefined
        ? undefined
        : resolveReference(adminOidcClientSecret, 'POSTERN_ADMIN_OIDC_CLIENT_SECRET refers to it'),
    scope: config.adminOidcScope,
    nameClaim: config.adminOidcNameClaim,
    roleClaim: config.adminOidcRoleClaim,
    roles: readRoles(adminOidcRoles),
  }
}

export function isLoopback({ hostname }: URL): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d+){3}$/.test(hostname)
}

/** A value can contain `=`; the last one separates the role. */
function readRoles(entries: readonly string[]): Map<string, StaffRole> {
  return new Map(
    entries.map((entry) => {
      const at = entry.lastIndexOf('=')
      return [entry.slice(0, at), entry.slice(at + 1) as StaffRole]
    }),
  )
}

export type Claims = Readonly<Record<string, unknown>>

/** Returns the highest role of all values; null if no value has a role. */
export function findRole(claims: Claims, { roleClaim, roles: byValue }: ProviderSettings): StaffRole | null {
  const claim = claims[roleClaim]
  const values = new Set<unknown>(Array.isArray(claim) ? claim : [claim])
  const given = new Set([...byValue].filter(([value]) => values.has(value)).map(([, role]) => role))
  return roles.findLast((role) => given.has(role)) ?? null
}

/** Returns null if the claim is missing or not a valid operator name. */
export function findOperatorName(claims: Claims, { nameClaim }: ProviderSettings): string | null {
  const claim = claims[nameClaim]
  const name = typeof claim === 'string' ? claim.toLowerCase() : ''
  return isOperatorName(name) ? name : null
}
