/**
 * Exchanges a client id and password for a token. An unknown id and a wrong password take the same time and get the same
 * answer. A correct password is cached for a few minutes as a keyed digest, because some SDKs request a new token before
 * every call and argon2 is slow on purpose.
 */
import { createHmac, randomBytes } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { Account } from '../../accounts/account.ts'
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
  const checking = new Map<string, Promise<boolean>>()
  const decoy = hashPassword(randomBytes(16).toString('hex'))

  async function check(requester: Requester, password: string, hash: string | undefined): Promise<boolean> {
    const reservation = await throttle.reserve(requester)
    const correct = await verifyPassword(password, hash ?? (await decoy))
    if (!correct || hash === undefined) return false
    await reservation.giveBack()
    return true
  }

  async function isCorrect(
    requester: Requester,
    password: string,
    hash: string | undefined,
  ): Promise<boolean> {
    const digest = createHmac('sha256', digestKey)
      .update(`${hash ?? ''}\0${password}`)
      .digest('base64')
    if (verified.has(digest)) return true
    // Concurrent requests with the same password are checked once, with one reservation: a client that starts with many
    // calls must not count as a guesser.
    const same = `${digest} ${requester.address} ${requester.clientId}`
    let answer = checking.get(same)
    if (answer === undefined) {
      answer = check(requester, password, hash).finally(() => checking.delete(same))
      checking.set(same, answer)
    }
    if (!(await answer)) return false
    verified.set(digest, true)
    return true
  }

  async function authenticate(requester: Requester, password: string): Promise<Account | null> {
    const known = accounts.value.byClientId.get(requester.clientId)
    if (known !== undefined) return (await isCorrect(requester, password, known.passwordHash)) ? known : null
    // The account may be newer than this process's copy. The copy is refreshed while the password is compared with the
    // decoy, so that an unknown id takes as long as a wrong password.
    await Promise.all([accounts.refreshEarly(), isCorrect(requester, password, undefined)])
    const created = accounts.value.byClientId.get(requester.clientId)
    if (created === undefined) return null
    return (await isCorrect(requester, password, created.passwordHash)) ? created : null
  }

  return {
    async issue(requester, password, now) {
      await throttle.request(requester)
      const account = await authenticate(requester, password)
      if (account === null) throw new Problem('A100', 'Invalid authentication information')
      if (account.blocked) throw new Problem('A110', 'Blocked account: contact the operator')
      return key.issue(account.id, account.tokenEpoch, now)
    },
  }
}
