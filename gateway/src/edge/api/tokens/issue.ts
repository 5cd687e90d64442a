import { createCheckLogin, type LoginOptions } from './login.ts'
import type { Requester } from './throttle.ts'
import type { TokenKey } from './token.ts'

/** Exchanges a client id and a password or key for a token. */
export interface TokenIssuer {
  issue(requester: Requester, password: string, now: Date): Promise<{ token: string; expiresAt: Date }>
}

export interface TokenIssuerOptions extends LoginOptions {
  readonly tokenKey: TokenKey
}

export function createTokenIssuer(options: TokenIssuerOptions): TokenIssuer {
  const checkLogin = createCheckLogin(options)
  return {
    async issue(requester, password, now) {
      const { account, credential } = await checkLogin(requester, password, now)
      return options.tokenKey.issue(account.id, account.tokenEpoch, now, {
        credentialId: credential.id,
        notAfter: credential.endsAt,
      })
    },
  }
}
