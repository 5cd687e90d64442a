/** The settings of the sign-in provider, checked at the start; and what its claims say about a person. Pure, apart from the secret's file. */
import { isOperatorName } from '../../operators/name.ts'
import { roles, type Role } from '../../operators/rights.ts'
import { ConfigError } from '../../platform/config-error.ts'
import type { Config } from '../../platform/config.ts'
import { resolveReference } from '../../platform/secret-reference.ts'

export interface ProviderSettings {
  readonly issuer: URL
  readonly clientId: string
  readonly clientSecret: string | undefined
  readonly scope: string
  readonly nameClaim: string
  readonly roleClaim: string
  /** Role by value of the claim. */
  readonly roles: ReadonlyMap<string, Role>
  /** POSTERN_ADMIN_URL. */
  readonly publicUrl: string
}

/** Null without POSTERN_ADMIN_OIDC_ISSUER. */
export function readProviderSettings(config: Config): ProviderSettings | null {
  const { adminOidcIssuer, adminOidcClientId, adminOidcClientSecret, adminOidcRoles, adminUrl } = config
  if (adminOidcIssuer === undefined) return null
  const needs = 'POSTERN_ADMIN_OIDC_ISSUER is set and needs it'
  if (adminUrl === undefined)
    throw new ConfigError(
      `POSTERN_ADMIN_URL is missing, but ${needs}: the provider sends browsers back to it, for example POSTERN_ADMIN_URL=https://console.example.com.`,
    )
  if (adminOidcClientId === undefined)
    throw new ConfigError(`POSTERN_ADMIN_OIDC_CLIENT_ID is missing, but ${needs}.`)
  if (adminOidcRoles === undefined)
    throw new ConfigError(
      `POSTERN_ADMIN_OIDC_ROLES is missing, but ${needs}: nobody would have a role. For example POSTERN_ADMIN_OIDC_ROLES=gateway-admins=admin,on-call=operator.`,
    )
  const issuer = new URL(adminOidcIssuer)
  if (issuer.protocol !== 'https:' && !isLoopback(issuer))
    throw new ConfigError(
      'POSTERN_ADMIN_OIDC_ISSUER must start with https://: what the provider says must not cross a network in clear.',
    )
  return {
    ...{ issuer, clientId: adminOidcClientId, publicUrl: adminUrl },
    clientSecret:
      adminOidcClientSecret === undefined
        ? undefined
        : resolveReference(adminOidcClientSecret, 'POSTERN_ADMIN_OIDC_CLIENT_SECRET refers to it'),
    ...{ scope: config.adminOidcScope, nameClaim: config.adminOidcNameClaim },
    ...{ roleClaim: config.adminOidcRoleClaim, roles: readRoles(adminOidcRoles) },
  }
}

export function isLoopback({ hostname }: URL): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d+){3}$/.test(hostname)
}

/** A value may have `=` in it; the last one divides. */
function readRoles(entries: readonly string[]): Map<string, Role> {
  return new Map(
    entries.map((entry) => {
      const at = entry.lastIndexOf('=')
      return [entry.slice(0, at), entry.slice(at + 1) as Role]
    }),
  )
}

export type Claims = Readonly<Record<string, unknown>>

/** The highest role of all values; null when none gives one. */
export function roleOf(claims: Claims, { roleClaim, roles: byValue }: ProviderSettings): Role | null {
  const claim = claims[roleClaim]
  const values = new Set<unknown>(Array.isArray(claim) ? claim : [claim])
  const given = new Set([...byValue].filter(([value]) => values.has(value)).map(([, role]) => role))
  return roles.findLast((role) => given.has(role)) ?? null
}

/** Null when the claim is missing, or no name of an operator. */
export function nameOf(claims: Claims, { nameClaim }: ProviderSettings): string | null {
  const claim = claims[nameClaim]
  const name = typeof claim === 'string' ? claim.toLowerCase() : ''
  return isOperatorName(name) ? name : null
}
