/** Sign-in of operators: one instance per server, with its counters of failed attempts. */
import type { RefusedSignIns } from '../refused-sign-ins.ts'
import type { AdminServices } from '../services.ts'
import type { RefusalThrottle } from '../throttle.ts'
import type { FetchLimits } from './bounded-fetch.ts'
import type { CookieNames } from '../operation.ts'
import { cookieNames } from './cookies.ts'
import { PasswordSignIn } from './password.ts'
import type { PauseLimits } from './pauses.ts'
import { SignInPauses } from './pauses.ts'
import { readProviderSettings } from './provider-settings.ts'
import { ProviderSignIn } from './provider-sign-in.ts'
import { OidcProvider } from './provider.ts'

export interface SignIn {
  readonly cookies: CookieNames
  readonly password: PasswordSignIn
  /** `null` if POSTERN_ADMIN_OIDC_ISSUER is not set, or if only clients are served. */
  readonly provider: ProviderSignIn | null
  readonly refused: RefusedSignIns
}

export interface SignInOptions {
  readonly hasCertificate: boolean
  readonly refused: RefusedSignIns
  readonly throttle: RefusalThrottle
  /** Overridden by tests. */
  readonly pauses?: PauseLimits | undefined
  readonly fetchLimits?: FetchLimits | undefined
}

/** Throws a ConfigError if settings of the provider or the cookies are missing or invalid. */
export function openSignIn(services: AdminServices, options: SignInOptions): SignIn {
  const { hasCertificate, refused, throttle, pauses, fetchLimits } = options
  // A provider identifies operators of the installation only, so a server for clients has none.
  const settings = services.config.adminAudience === 'clients' ? null : readProviderSettings(services.config)
  return {
    cookies: cookieNames(services.config, hasCertificate),
    password: new PasswordSignIn(services, refused, new SignInPauses(pauses)),
    provider:
      settings === null
        ? null
        : new ProviderSignIn(new OidcProvider(settings, fetchLimits), services, refused, throttle),
    refused,
  }
}
