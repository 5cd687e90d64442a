/**
 * Exchanges a client id and password for a token. A wrong id and a wrong password cost the same time and give
 * the same answer. A password that was right is remembered for a few minutes as a keyed digest, because some
 * SDKs ask for a new token before every call and argon2 is slow on purpose.
 */
import { createHmac, randomBytes } from 'node:crypto'
import type { AccountDirectory } from '../../accounts/directory.ts'
import { hashPassword, verifyPassword } from '../../accounts/password.ts'
import { Problem } from '../../contract/problem.ts'
import type { Asker, TokenThrottle } from './throttle.ts'
import type { TokenKey } from './token.ts'

const rememberMs = 5 * 60_000
const rememberedMost = 20_000

export interface TokenIssuer {
  issue(asker: Asker, password: string, now: Date): Promise<{ token: string; expiresAt: Date }>
}

export function createTokenIssuer(
  accounts: AccountDirectory,
  key: TokenKey,
  throttle: TokenThrottle,
): TokenIssuer {
  const digestKey = randomBytes(32)
  const remembered = new Map<string, number>()
  const checking = new Map<string, Promise<boolean>>()
  const decoy = hashPassword(randomBytes(16).toString('hex'))

  async function check(asker: Asker, password: string, hash: string | undefined): Promise<boolean> {
    const reservation = await throttle.reserve(asker)
    const right = await verifyPassword(password, hash ?? (await decoy))
    if (!right || hash === undefined) return false
    await reservation.giveBack()
    return true
  }

  async function isRight(
    asker: Asker,
    password: string,
    hash: string | undefined,
    now: Date,
  ): Promise<boolean> {
    const digest = createHmac('sha256', digestKey)
      .update(`${hash ?? ''}\0${password}`)
      .digest('base64')
    if ((remembered.get(digest) ?? 0) > now.getTime()) return true
    // The same asked at once is checked once, on one place: a client that starts with many calls is no guesser.
    const same = `${digest} ${asker.address} ${asker.clientId}`
    let answer = checking.get(same)
    if (answer === undefined) {
      answer = check(asker, password, hash).finally(() => checking.delete(same))
      checking.set(same, answer)
    }
    if (!(await answer)) return false
    if (remembered.size >= rememberedMost) remembered.clear()
    remembered.set(digest, now.getTime() + rememberMs)
    return true
  }

  return {
    async issue(asker, password, now) {
      await throttle.request(asker)
      const account = accounts.value.byClientId.get(asker.clientId)
      if (!(await isRight(asker, password, account?.passwordHash, now)) || account === undefined) {
        throw new Problem('A100', 'Invalid authentication information')
      }
      if (account.blocked) throw new Problem('A110', 'Blocked account: ask the operator')
      return key.issue(account.id, account.tokenEpoch, now)
    },
  }
}
