/**
 * Exchanges a client id and password for a token. An unknown id and a wrong password take the same time and get the same
 * answer. A correct password is cached for a few minutes as a keyed digest, because some SDKs request a new token before
 * every call and argon2 is slow on purpose.
 */
import { createHmac, randomBytes } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { shareCall } from '../../platform/share-call.ts'
import type { AccountCredentials } from '../../accounts/account.ts'
import type { AccountDirectory } from '../../accounts/directory.ts'
import { hashPassword, verifyPassword } from '../../accounts/password.ts'
import { Problem } from '../../contract/problem.ts'
import type { Requester, TokenThrottle } from './throttle.ts'
import type { TokenKey } from './token.ts'

const verifiedForMs = 5 * 60_000
const maxVerified = 20_000

export interface TokenIssuer {
  issue(requester: Requester, password: string, now: Date): Promise<{ token: string; expiresAt: Date }>
}

export function createTokenIssuer(
  accounts: AccountDirectory,
  key: TokenKey,
  throttle: TokenThrottle,
): TokenIssuer {
  const digestKey = randomBytes(32)
  const verified = new LRUCache<string, true>({ max: maxVerified, ttl: verifiedForMs })
  const checking = new Map<string, Promise<AccountCredentials | null>>()
  const decoy = hashPassword(randomBytes(16).toString('hex'))

  const find = ({ clientId }: Requester): AccountCredentials | undefined =>
    accounts.value.byClientId.get(clientId)
  const digestOf = (hash: string, password: string): string =>
    createHmac('sha256', digestKey).update(`${hash}\0${password}`).digest('base64')

  /**
   * The account or its password may be newer than this process's copy, which is refreshed meanwhile. An unknown id is
   * compared with the decoy, and a wrong password waits for the refresh too: both take the same time, also while
   * PostgreSQL does not answer.
   */
  async function check(requester: Requester, password: string): Promise<AccountCredentials | null> {
    const known = find(requester)
    const refreshed = accounts.refreshEarly()
    const reservation = await throttle.reserve(requester)
    const correct = await verifyPassword(password, known?.passwordHash ?? (await decoy))
    if (correct && known !== undefined) {
      await reservation.giveBack()
      return known
    }
    await refreshed
    const current = find(requester)
    if (current === undefined || current.passwordHash === known?.passwordHash) return null
    if (!(await verifyPassword(password, current.passwordHash))) return null
    await reservation.giveBack()
    return current
  }

  async function authenticate(requester: Requester, password: string): Promise<AccountCredentials | null> {
    const known = find(requester)
    if (known !== undefined && verified.has(digestOf(known.passwordHash, password))) return known
    // Concurrent requests with the same password are checked once, with one reservation: a client that starts with many
    // calls must not count as a guesser.
    const same = `${digestOf(known?.passwordHash ?? '', password)} ${requester.address} ${requester.clientId}`
    const account = await shareCall(checking, same, () => check(requester, password))
    if (account !== null) verified.set(digestOf(account.passwordHash, password), true)
    return account
  }

  return {
    async issue(requester, password, now) {
      await throttle.request(requester)
      const account = await authenticate(requester, password)
      if (account === null) throw new Problem('A100', 'Invalid authentication information')
      if (account.moving || account.servedBy !== null) throw movingProblem()
      if (account.blocked) throw new Problem('A110', 'Blocked account: contact the operator')
      return key.issue(account.id, account.tokenEpoch, now)
    },
  }
}

const movingRetrySeconds = 2

/** For some seconds, until the other cell serves the account and the proxies know it. */
export function movingProblem(): Problem {
  return new Problem(
    'A920',
    'Service busy: the account is being moved to another cell; retry',
    movingRetrySeconds,
  )
}
