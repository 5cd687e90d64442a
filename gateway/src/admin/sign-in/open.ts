/** What signs operators in: one for a server, with its counts of wrong tries. Made by `server.ts`. */
import type { RefusedSignIns } from '../refused-sign-ins.ts'
import type { AdminServices } from '../services.ts'
import type { RefusalThrottle } from '../throttle.ts'
import type { FetchLimits } from './bounded-fetch.ts'
import { cookieNames, type CookieNames } from './cookies.ts'
import { PasswordSignIn } from './password.ts'
import type { PauseLimits } from './pauses.ts'
import { SignInPauses } from './pauses.ts'
import { readProviderSettings } from './provider-settings.ts'
import { ProviderSignIn } from './provider-sign-in.ts'
import { Provider } from './provider.ts'

export interface SignIn {
  readonly cookies: CookieNames
  readonly password: PasswordSignIn
  /** Null without POSTERN_ADMIN_OIDC_ISSUER, and where only clients are served. */
  readonly provider: ProviderSignIn | null
  readonly refused: RefusedSignIns
}

export interface SignInOptions {
  readonly hasCertificate: boolean
  readonly refused: RefusedSignIns
  readonly throttle: RefusalThrottle
  /** Tests set others. */
  readonly pauses?: PauseLimits | undefined
  readonly fetchLimits?: FetchLimits | undefined
}

/** Throws a ConfigError when settings of the provider are missing. */
export function openSignIn(services: AdminServices, options: SignInOptions): SignIn {
  const { hasCertificate, refused, throttle, pauses, fetchLimits } = options
  // A provider vouches for operators of the installation.
  const settings = services.config.adminFor === 'clients' ? null : readProviderSettings(services.config)
  return {
    cookies: cookieNames(services.config, hasCertificate),
    password: new PasswordSignIn(services, refused, new SignInPauses(pauses)),
    provider:
      settings === null
        ? null
        : new ProviderSignIn(new Provider(settings, fetchLimits), services, refused, throttle),
    refused,
  }
}
