/**
 * Checks a client id and a password or key: at the token endpoint, and when a client binds over SMPP. An unknown id and a wrong
 * password take the same time and work and get the same answer; `check-queue.ts` bounds that work. A correct password is
 * cached as a keyed digest, because some SDKs request a new token before every call and argon2 is slow on purpose.
 */
import { createHmac, randomBytes } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { shareCall } from '../../platform/share-call.ts'
import { hasEnded, type Credential } from '../../accounts/credential.ts'
import type { AccountDirectory, AccountEntry, AccountIndex } from '../../accounts/directory.ts'
import type { CredentialUses } from '../../accounts/credential-uses.ts'
import { isKeyOf, readKeyId } from '../../accounts/key.ts'
import { findPassword, hashPassword } from '../../accounts/password.ts'
import { Problem } from '../../contract/problem.ts'
import { clock } from '../../platform/clock.ts'
import { toNetwork } from './address.ts'
import { CheckQueue } from './check-queue.ts'
import { endedProblem, requireNetwork } from './permission.ts'
import type { Requester, TokenThrottle } from './throttle.ts'

const verifiedForMs = 5 * 60_000
const maxVerified = 20_000
const maxFamiliar = 50_000

/** Who has proved to be which account. */
export interface Login {
  readonly account: AccountEntry
  readonly credential: Credential
}

/** Throws a Problem when the credentials are wrong, or may not be used now or from this address. */
export type CheckLogin = (requester: Requester, password: string, now: Date) => Promise<Login>

/** One that can be compared. */
type Password = Credential & { readonly hash: string }

export interface LoginOptions {
  readonly accounts: AccountDirectory
  /** How the account of a requester is found; by its client id when absent. */
  readonly find?: (index: AccountIndex, id: string) => AccountEntry | undefined
  /** Which credentials are compared as passwords; those for the API when absent. */
  readonly passwordsOf?: (account: AccountEntry) => readonly Credential[]
  readonly throttle: TokenThrottle
  /** Who has logged in before this process started. */
  readonly familiar?: readonly Requester[]
  readonly queue?: CheckQueue
  readonly uses?: Pick<CredentialUses, 'note'>
  /** Throws when the copies of accounts are too old to decide. */
  readonly requireFresh: () => void
}

export function createCheckLogin(options: LoginOptions): CheckLogin {
  const { accounts, throttle, uses, queue = new CheckQueue() } = options
  const { find: findIn = byClientId, passwordsOf = ({ passwords }: AccountEntry) => passwords } = options
  const find = ({ clientId }: Requester) => findIn(accounts.value, clientId)
  const usablePasswords = (account: AccountEntry | undefined): readonly Password[] =>
    account === undefined ? [] : passwordsOf(account).filter(isUsable)
  const familiar = new LRUCache<string, true>({ max: maxFamiliar })
  for (const requester of options.familiar ?? []) familiar.set(placeOf(requester), true)
  const digestKey = randomBytes(32)
  const verified = new LRUCache<string, true>({ max: maxVerified, ttl: verifiedForMs })
  const checking = new Map<string, Promise<Login | null>>()
  const decoy = hashPassword(randomBytes(16).toString('hex'))

  const digestOf = (hash: string, password: string): string =>
    createHmac('sha256', digestKey).update(`${hash}\0${password}`).digest('base64')
  const hashesOf = (passwords: readonly Password[]): string => passwords.map(({ hash }) => hash).join()

  async function compare(
    account: AccountEntry | undefined,
    passwords: readonly Password[],
    password: string,
  ): Promise<Login | null> {
    const hashes = passwords.length === 0 ? [await decoy] : passwords.map(({ hash }) => hash)
    const credential = passwords[await findPassword(password, hashes)]
    return account === undefined || credential === undefined ? null : { account, credential }
  }

  /**
   * The account or its password may be newer than this process's copy, which is refreshed meanwhile. An unknown id is
   * compared with the decoy, and a wrong password waits for the refresh too: both take the same time, also while
   * PostgreSQL does not answer.
   */
  async function check(requester: Requester, password: string): Promise<Login | null> {
    const lane = familiar.has(placeOf(requester)) ? 'familiar' : 'stranger'
    queue.requireRoom(lane)
    const known = usablePasswords(find(requester))
    const refreshed = accounts.refreshEarly()
    const reservation = await throttle.reserve(requester, lane)
    const compareInTurn = async (passwords: readonly Password[]): Promise<Login | null> => {
      try {
        return await queue.run(lane, () => compare(find(requester), passwords, password))
      } catch (error) {
        // Not checked, so it does not count as wrong.
        await reservation.giveBack()
        throw error
      }
    }
    let login = await compareInTurn(known)
    if (login === null) {
      await refreshed
      const current = usablePasswords(find(requester))
      if (current.length === 0 || hashesOf(current) === hashesOf(known)) return null
      login = await compareInTurn(current)
    }
    if (login !== null) {
      familiar.set(placeOf(requester), true)
      await reservation.giveBack()
    }
    return login
  }

  async function checkPassword(requester: Requester, password: string): Promise<Login | null> {
    const account = find(requester)
    const passwords = usablePasswords(account)
    const credential = passwords.find(({ hash }) => verified.has(digestOf(hash, password)))
    if (account !== undefined && credential !== undefined) return { account, credential }
    // Concurrent requests with the same password are checked once, with one reservation: a client that starts with many
    // calls must not count as a guesser.
    const same = `${digestOf(hashesOf(passwords), password)} ${requester.address} ${requester.clientId}`
    const login = await shareCall(checking, same, () => check(requester, password))
    if (login?.credential.hash != null) verified.set(digestOf(login.credential.hash, password), true)
    return login
  }

  /** Its secret cannot be guessed, so neither a slow hash nor a limit is needed. */
  async function checkKey(requester: Requester, keyId: string, text: string): Promise<Login | null> {
    if (!accounts.value.keys.has(keyId)) await accounts.refreshEarly()
    const account = find(requester)
    const credential = accounts.value.keys.get(keyId)
    if (account === undefined || credential?.accountId !== account.id) return null
    if (credential.hash === null) throw endedProblem('A100', credential)
    return isKeyOf(text, credential.hash) ? { account, credential } : null
  }

  return async (requester, password, now) => {
    options.requireFresh()
    const keyId = readKeyId(password)
    const login = await (keyId === null
      ? checkPassword(requester, password)
      : checkKey(requester, keyId, password))
    if (login === null) throw new Problem('A100', 'Invalid authentication information')
    // Not counted before: a flood of made-up client ids would fill Redis with their counts.
    await throttle.request(requester)
    const { account, credential } = login
    if (hasEnded(credential, now)) throw endedProblem('A100', credential)
    requireNetwork(credential, () => requester.address)
    if (account.blocked) throw new Problem('A110', 'Blocked account: contact the operator')
    uses?.note(credential.id, () => requester.address)
    return login
  }
}

/** A client at an address. */
function placeOf({ clientId, address }: Requester): string {
  return `${toNetwork(address)} ${clientId}`
}

const byClientId = (index: AccountIndex, id: string): AccountEntry | undefined => index.byClientId.get(id)

function isUsable(password: Credential): password is Password {
  return password.hash !== null && !hasEnded(password, clock.date())
}
