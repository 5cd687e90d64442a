/**
 * OpenID Connect provider: authorization code flow with PKCE, state and nonce, by openid-client. Its metadata
 * is read at the first sign-in, and again after an hour. While the provider is unavailable, other sign-in methods
 * work.
 */
import {
  allowInsecureRequests,
  authorizationCodeGrant,
  AuthorizationResponseError,
  buildAuthorizationUrl,
  calculatePKCECodeChallenge,
  ClientError,
  ClientSecretBasic,
  ClientSecretPost,
  customFetch,
  discovery,
  enableNonRepudiationChecks,
  fetchUserInfo,
  None,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
  ResponseBodyError,
  WWWAuthenticateChallengeError,
  type ClientAuth,
  type Configuration,
} from 'openid-client'
import { clock } from '../../platform/time/clock.ts'
import { singleFlight } from '../../platform/single-flight.ts'
import { OperationError } from '../errors.ts'
import { createBoundedFetch, ProviderUnavailable, type FetchLimits } from './bounded-fetch.ts'
import { pendingSeconds, type PendingSignIn } from './pending.ts'
import { isLoopback, type Claims, type ProviderSettings } from './provider-settings.ts'

const maxAgeMs = 3_600_000
/** Anyone can begin a sign-in, so concurrent requests to the provider are limited. */
const maxRunning = 8
/** Prevents one network from occupying all slots. */
const maxRunningOfNetwork = 2

export const callbackPath = '/admin/v1/oidc/callback'

export interface OidcIdentity {
  readonly issuer: string
  readonly subject: string
  readonly claims: Claims
}

export class OidcProvider {
  readonly settings: ProviderSettings
  readonly #limits: FetchLimits | undefined
  readonly #pending = new Map<string, Promise<Configuration>>()
  #known: { readonly configuration: Configuration; readonly readAt: number } | undefined
  #running = 0
  readonly #runningOf = new Map<string, number>()

  constructor(settings: ProviderSettings, limits?: FetchLimits) {
    this.settings = settings
    this.#limits = limits
  }

  /** Returns the URL at the provider, and the state to keep until the browser returns. */
  begin(path: string, network: string): Promise<{ readonly url: URL; readonly pending: PendingSignIn }> {
    return this.#bounded(network, async () => {
      const configuration = await this.#configuration()
      const pending = {
        state: randomState(),
        nonce: randomNonce(),
        verifier: randomPKCECodeVerifier(),
        path,
        endsAt: clock.now() + pendingSeconds * 1000,
      }
      const url = buildAuthorizationUrl(configuration, {
        redirect_uri: `${this.settings.publicUrl}${callbackPath}`,
        scope: this.settings.scope,
        state: pending.state,
        nonce: pending.nonce,
        code_challenge: await calculatePKCECodeChallenge(pending.verifier),
        code_challenge_method: 'S256',
      })
      return { url, pending }
    })
  }

  /** `query` is that of the URL to which the provider redirected the browser. */
  end(query: string, { state, nonce, verifier }: PendingSignIn, network: string): Promise<OidcIdentity> {
    return this.#bounded(network, async () => {
      const configuration = await this.#configuration()
      const tokens = await authorizationCodeGrant(
        configuration,
        new URL(`${this.settings.publicUrl}${callbackPath}${query}`),
        { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier, idTokenExpected: true },
      )
      const idClaims = tokens.claims()!
      const { iss: issuer, sub: subject } = idClaims
      if (issuer !== configuration.serverMetadata().issuer) throw foreignIssuer()
      // The specification allows 255 characters.
      if (subject.length > 255)
        throw new OperationError('refused', 'the sign-in provider returned a subject that is too long')
      const isComplete =
        idClaims[this.settings.roleClaim] !== undefined && idClaims[this.settings.nameClaim] !== undefined
      const { userinfo_endpoint: userInfoEndpoint } = configuration.serverMetadata()
      if (isComplete || userInfoEndpoint === undefined) return { issuer, subject, claims: idClaims }
      const userInfo = await fetchUserInfo(configuration, tokens.access_token, subject)
      return { issuer, subject, claims: { ...userInfo, ...idClaims } }
    })
  }

  async #bounded<T>(network: string, work: () => Promise<T>): Promise<T> {
    if (this.#running >= maxRunning)
      throw new OperationError('unavailable', 'too many sign-ins are in progress; retry', {
        retryAfterSeconds: 2,
      })
    const ofNetwork = this.#runningOf.get(network) ?? 0
    if (ofNetwork >= maxRunningOfNetwork)
      throw new OperationError('unavailable', 'too many sign-ins from your network are in progress; retry', {
        retryAfterSeconds: 2,
      })
    this.#running += 1
    this.#runningOf.set(network, ofNetwork + 1)
    try {
      return await work()
    } catch (error) {
      throw explain(error)
    } finally {
      this.#running -= 1
      const left = this.#runningOf.get(network)! - 1
      if (left === 0) this.#runningOf.delete(network)
      else this.#runningOf.set(network, left)
    }
  }

  async #configuration(): Promise<Configuration> {
    const known = this.#known
    if (known !== undefined && performance.now() - known.readAt < maxAgeMs) return known.configuration
    const configuration = await singleFlight(this.#pending, 'metadata', () => this.#discover())
    // openid-client accepts an issuer with a placeholder for Entra: every tenant could identify operators then, with groups of its own.
    if (/[{}]/.test(configuration.serverMetadata().issuer)) throw foreignIssuer()
    this.#known = { configuration, readAt: performance.now() }
    return configuration
  }

  #discover(): Promise<Configuration> {
    const { issuer, clientId, clientSecret } = this.settings
    return discovery(issuer, clientId, undefined, authenticationWith(clientSecret), {
      [customFetch]: createBoundedFetch(this.#limits),
      // oxlint-disable-next-line typescript/no-deprecated -- marked so that it stands out: on loopback nothing crosses a network
      execute: [enableNonRepudiationChecks, ...(isLoopback(issuer) ? [allowInsecureRequests] : [])],
    })
  }
}

function foreignIssuer(): OperationError {
  return new OperationError(
    'refused',
    'the sign-in provider accepts people of other tenants; set POSTERN_ADMIN_OIDC_ISSUER to the issuer of your own tenant, such as https://login.microsoftonline.com/<tenant id>/v2.0',
  )
}

/** Defaults to Basic, as the specification does. */
function authenticationWith(secret: string | undefined): ClientAuth {
  if (secret === undefined) return None()
  const [basic, post] = [ClientSecretBasic(secret), ClientSecretPost(secret)]
  return (server, ...rest) => {
    const { token_endpoint_auth_methods_supported: methods = ['client_secret_basic'] } = server
    return (methods.includes('client_secret_basic') ? basic : post)(server, ...rest)
  }
}

/** Explains an error. Texts of the provider are untrusted: of these, only a short error code is quoted. */
function explain(error: unknown): unknown {
  if (error instanceof OperationError) return error
  const unavailable = findUnavailable(error)
  if (unavailable !== null)
    return new OperationError(
      'unavailable',
      `the sign-in provider is unavailable (${unavailable.message}); sign in with a password, or retry`,
      { retryAfterSeconds: 10 },
    )
  if (error instanceof AuthorizationResponseError)
    return new OperationError('refused', `the sign-in provider refused (${safe(error.error)}); sign in again`)
  if (error instanceof ResponseBodyError || error instanceof WWWAuthenticateChallengeError)
    return new OperationError(
      'refused',
      `the sign-in provider did not accept the sign-in (HTTP ${error.status}); sign in again. If this persists, check POSTERN_ADMIN_OIDC_CLIENT_ID and _CLIENT_SECRET`,
    )
  if (error instanceof ClientError)
    return new OperationError(
      'refused',
      `invalid response from the sign-in provider (${safe(error.code ?? error.name)}); sign in again. If this persists, check POSTERN_ADMIN_OIDC_ISSUER and the clocks`,
    )
  return error
}

function findUnavailable(error: unknown): ProviderUnavailable | null {
  for (let at = error, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth++)
    if (at instanceof ProviderUnavailable) return at
  return null
}

function safe(text: string): string {
  return text.replaceAll(/[^\w .-]/g, '?').slice(0, 60)
}
