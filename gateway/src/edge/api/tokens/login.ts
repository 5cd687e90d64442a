import { createHmac, randomBytes } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { singleFlight } from '../../../platform/single-flight.ts'
import { isExpired, type Credential } from '../../../identity/accounts/credential.ts'
import type { AccountDirectory, AccountEntry, AccountIndex } from '../../../identity/accounts/directory.ts'
import type { CredentialUses } from '../../../identity/accounts/credential-uses.ts'
import { matchesKey, readKeyId } from '../../../identity/accounts/key.ts'
import { findPassword, hashPassword } from '../../../identity/accounts/password.ts'
import { Problem } from '../../../contract/problem.ts'
import { clock } from '../../../platform/time/clock.ts'
import { toNetwork } from './address.ts'
import { CheckQueue } from './check-queue.ts'
import { expiredCredentialProblem, requireNetwork } from './permission.ts'
import type { Requester, TokenThrottle } from './throttle.ts'

const verifiedForMs = 5 * 60_000
const maxVerified = 20_000
const maxKnown = 50_000

export interface VerifiedLogin {
  readonly account: AccountEntry
  readonly credential: Credential
}

/** Throws a Problem if the credentials are wrong or cannot be used now or from this address. */
export type CheckLogin = (requester: Requester, password: string, now: Date) => Promise<VerifiedLogin>

type Password = Credential & { readonly hash: string }

export interface LoginOptions {
  readonly accounts: AccountDirectory
  /** Finds the account of a requester; by client id if undefined. */
  readonly find?: (index: AccountIndex, id: string) => AccountEntry | undefined
  /** Returns the credentials that are compared as passwords; those for the API if undefined. */
  readonly getPasswords?: (account: AccountEntry) => readonly Credential[]
  readonly throttle: TokenThrottle
  /** Requesters that logged in before this process started. */
  readonly knownRequesters?: readonly Requester[]
  readonly queue?: CheckQueue
  readonly uses?: Pick<CredentialUses, 'record'>
  /** Throws if the copies of accounts are too old to decide. */
  readonly requireFresh: () => void
}

/**
 * Creates the check of a client id and a password or key, for the token endpoint and for SMPP binds. An unknown id
 * and a wrong password take the same time and work and get the same response; `CheckQueue` limits that work. A
 * correct password is cached as a keyed digest, because some SDKs request a new token before every call and argon2
 * is slow on purpose.
 */
export function createCheckLogin(options: LoginOptions): CheckLogin {
  const { accounts, throttle, uses, queue = new CheckQueue() } = options
  const { find: findIn = byClientId, getPasswords = ({ passwords }: AccountEntry) => passwords } = options
  const find = ({ clientId }: Requester) => findIn(accounts.value, clientId)
  const usablePasswords = (account: AccountEntry | undefined): readonly Password[] =>
    account === undefined ? [] : getPasswords(account).filter(isUsable)
  const knownRequesters = new LRUCache<string, true>({ max: maxKnown })
  for (const requester of options.knownRequesters ?? []) knownRequesters.set(toRequesterKey(requester), true)
  const digestKey = randomBytes(32)
  const verified = new LRUCache<string, true>({ max: maxVerified, ttl: verifiedForMs })
  const checking = new Map<string, Promise<VerifiedLogin | null>>()
  const decoy = hashPassword(randomBytes(16).toString('hex'))

  const computeDigest = (hash: string, password: string): string =>
    createHmac('sha256', digestKey).update(`${hash}\0${password}`).digest('base64')
  const joinHashes = (passwords: readonly Password[]): string => passwords.map(({ hash }) => hash).join()

  async function compare(
    account: AccountEntry | undefined,
    passwords: readonly Password[],
    password: string,
  ): Promise<VerifiedLogin | null> {
    const hashes = passwords.length === 0 ? [await decoy] : passwords.map(({ hash }) => hash)
    const credential = passwords[await findPassword(password, hashes)]
    return account === undefined || credential === undefined ? null : { account, credential }
  }

  /**
   * Refreshes the account during the check, because it or its password may be newer than the copy of this
   * process. An unknown id is compared with the decoy, and a wrong password waits for the refresh too: both
   * take the same time, even while PostgreSQL does not respond.
   */
  async function check(requester: Requester, password: string): Promise<VerifiedLogin | null> {
    const lane = knownRequesters.has(toRequesterKey(requester)) ? 'known' : 'unknown'
    queue.requireRoom(lane)
    const passwordsBefore = usablePasswords(find(requester))
    const refreshed = accounts.refreshEarly()
    const reservation = await throttle.reserve(requester, lane)
    const compareInTurn = async (passwords: readonly Password[]): Promise<VerifiedLogin | null> => {
      try {
        return await queue.run(lane, () => compare(find(requester), passwords, password))
      } catch (error) {
        // The password was not checked, so it does not count as wrong.
        await reservation.release()
        throw error
      }
    }
    let login = await compareInTurn(passwordsBefore)
    if (login === null) {
      await refreshed
      const current = usablePasswords(find(requester))
      if (current.length === 0 || joinHashes(current) === joinHashes(passwordsBefore)) return null
      login = await compareInTurn(current)
    }
    if (login !== null) {
      knownRequesters.set(toRequesterKey(requester), true)
      await reservation.release()
    }
    return login
  }

  async function checkPassword(requester: Requester, password: string): Promise<VerifiedLogin | null> {
    const account = find(requester)
    const passwords = usablePasswords(account)
    const credential = passwords.find(({ hash }) => verified.has(computeDigest(hash, password)))
    if (account !== undefined && credential !== undefined) return { account, credential }
    // Concurrent requests with the same password share one check and one reservation: a client that starts
    // with many calls must not count as a guesser.
    const flightKey = `${computeDigest(joinHashes(passwords), password)} ${requester.address} ${requester.clientId}`
    const login = await singleFlight(checking, flightKey, () => check(requester, password))
    if (login?.credential.hash != null) verified.set(computeDigest(login.credential.hash, password), true)
    return login
  }

  /** Checks an API key. Its secret cannot be guessed, so neither a slow hash nor a limit is needed. */
  async function checkKey(requester: Requester, keyId: string, text: string): Promise<VerifiedLogin | null> {
    if (!accounts.value.keys.has(keyId)) await accounts.refreshEarly()
    const account = find(requester)
    const credential = accounts.value.keys.get(keyId)
    if (account === undefined || credential?.accountId !== account.id) return null
    if (credential.hash === null) throw expiredCredentialProblem('A100', credential)
    return matchesKey(text, credential.hash) ? { account, credential } : null
  }

  return async (requester, password, now) => {
    options.requireFresh()
    const keyId = readKeyId(password)
    const login = await (keyId === null
      ? checkPassword(requester, password)
      : checkKey(requester, keyId, password))
    if (login === null) throw new Problem('A100', 'Invalid authentication information')
    // Count only now: a flood of invented client ids would otherwise fill Redis with counters.
    await throttle.request(requester)
    const { account, credential } = login
    if (isExpired(credential, now)) throw expiredCredentialProblem('A100', credential)
    requireNetwork(credential, () => requester.address)
    if (account.blocked) throw new Problem('A110', 'Blocked account: contact the operator')
    uses?.record(credential.id, () => requester.address)
    return login
  }
}

/** Identifies a client id at a network. */
function toRequesterKey({ clientId, address }: Requester): string {
  return `${toNetwork(address)} ${clientId}`
}

const byClientId = (index: AccountIndex, id: string): AccountEntry | undefined => index.byClientId.get(id)

function isUsable(password: Credential): password is Password {
  return password.hash !== null && !isExpired(password, clock.date())
}
