import type { FastifyReply, FastifyRequest } from 'fastify'
import { isExpired, type Credential } from '../../../identity/accounts/credential.ts'
import type { CredentialUses } from '../../../identity/accounts/credential-uses.ts'
import type { AccountDirectory, AccountEntry, AccountIndex } from '../../../identity/accounts/directory.ts'
import { matchesKey, readKeyId } from '../../../identity/accounts/key.ts'
import { Problem } from '../../../contract/problem.ts'
import { clientAddress } from '../tokens/address.ts'
import { expiredCredentialProblem, requireNetwork } from '../tokens/permission.ts'
import type { TokenClaims, TokenKey } from '../tokens/token.ts'
import { clock } from '../../../platform/time/clock.ts'

/**
 * Sets `request.account` and `request.credential` from a bearer token or key and the cached accounts. Checks
 * expiry, networks and revocation on every request, and throws a Problem if the credential is not valid.
 */
export type Authenticate = (
  request: FastifyRequest,
  reply: FastifyReply,
  done: (error?: Error) => void,
) => void

export interface ApiAuthenticateOptions {
  readonly accounts: AccountDirectory
  readonly tokenKey: TokenKey
  /** Number of the operator's proxies in front of the API; 0 by default. */
  readonly proxyHops?: number
  readonly uses?: Pick<CredentialUses, 'record'>
  /** Throws if the copies of accounts are too old to decide. */
  readonly requireFresh: () => void
}

/**
 * Bearer credential of a valid form. The signature of a `token` is checked already; the text of a `key` is
 * compared later. `unknown-key` is a token that was signed with a key that this process has not read.
 */
type Bearer = KnownBearer | { readonly kind: 'unknown-key' }
type KnownBearer =
  | { readonly kind: 'token'; readonly claims: TokenClaims }
  | { readonly kind: 'key'; readonly keyId: string; readonly text: string }

export function createAuthenticate(options: ApiAuthenticateOptions): Authenticate {
  const { accounts, tokenKey, proxyHops = 0, uses, requireFresh } = options

  function enter(request: FastifyRequest, bearer: KnownBearer): void {
    requireFresh()
    const { account, credential } = find(bearer, accounts.value)
    const address = (): string => clientAddress(request, proxyHops)
    if (isExpired(credential, clock.date())) throw expiredCredentialProblem('A001', credential)
    requireNetwork(credential, address)
    if (account.blocked) throw new Problem('A110', 'Blocked account: contact the operator')
    uses?.record(credential.id, address)
    request.account = account
    request.credential = credential
  }

  /**
   * Refreshes the copies first: another process may have issued the credential with a newer key, or for an
   * account that is not known here yet.
   */
  async function enterLater(request: FastifyRequest, first: Bearer): Promise<void> {
    let bearer = first
    if (bearer.kind === 'unknown-key') {
      const isRead = await tokenKey.refresh()
      bearer = readBearer(request.headers.authorization, tokenKey)
      if (bearer.kind === 'unknown-key')
        throw isRead ? new Problem('A002', 'Invalid token') : keysUnavailable()
    }
    if (!isIndexed(bearer, accounts.value)) await accounts.refreshEarly()
    enter(request, bearer)
  }

  return (request, _reply, done) => {
    let bearer: Bearer
    try {
      bearer = readBearer(request.headers.authorization, tokenKey)
      if (bearer.kind !== 'unknown-key' && isIndexed(bearer, accounts.value)) {
        enter(request, bearer)
        done()
        return
      }
    } catch (error) {
      done(error as Error)
      return
    }
    enterLater(request, bearer).then(() => done(), done)
  }
}

function keysUnavailable(): Problem {
  return new Problem('A920', 'Service busy: the key of the token is not known here yet; retry', 1)
}

function readBearer(header: string | undefined, tokenKey: TokenKey): Bearer {
  const text = /^bearer ([A-Za-z0-9_-]{1,200})$/i.exec(header ?? '')?.[1]
  if (text === undefined)
    throw new Problem('A002', 'Invalid token: send Authorization: Bearer <token> from POST /v1/auth/token')
  const keyId = readKeyId(text)
  if (keyId !== null) return { kind: 'key', keyId, text }
  const decision = tokenKey.verify(text, clock.date())
  if (decision.kind === 'expired') throw new Problem('A001', 'Expired token')
  if (decision.kind === 'other-cell')
    throw new Problem(
      'A002',
      `Invalid token: it belongs to cell ${decision.cell}; request a new token with POST /v1/auth/token`,
    )
  if (decision.kind === 'unknown-key') return decision
  if (decision.kind !== 'valid') throw new Problem('A002', 'Invalid token')
  return { kind: 'token', claims: decision }
}

function isIndexed(bearer: KnownBearer, { byId, credentials, keys }: AccountIndex): boolean {
  if (bearer.kind === 'key') return keys.has(bearer.keyId)
  const { accountId, credentialId } = bearer.claims
  return byId.has(accountId) && credentials.has(credentialId)
}

interface Authentication {
  readonly account: AccountEntry
  readonly credential: Credential
}

function find(bearer: KnownBearer, index: AccountIndex): Authentication {
  return bearer.kind === 'key'
    ? findByKey(bearer.keyId, bearer.text, index)
    : findByToken(bearer.claims, index)
}

function findByKey(keyId: string, text: string, { byId, keys }: AccountIndex): Authentication {
  const credential = keys.get(keyId)
  const account = byId.get(credential?.accountId ?? 0)
  // The hash is gone, so the key cannot be compared; its id is enough to explain the refusal.
  if (credential?.hash === null) throw expiredCredentialProblem('A001', credential)
  if (credential === undefined || account === undefined || !matchesKey(text, credential.hash))
    throw new Problem('A002', 'Invalid token: the key is unknown or was revoked')
  return { account, credential }
}

function findByToken({ accountId, epoch, credentialId }: TokenClaims, index: AccountIndex): Authentication {
  const account = index.byId.get(accountId)
  const credential = index.credentials.get(credentialId)
  if (account?.tokenEpoch !== epoch || credential?.accountId !== accountId)
    throw new Problem('A002', 'Invalid token: it was revoked')
  return { account, credential }
}
