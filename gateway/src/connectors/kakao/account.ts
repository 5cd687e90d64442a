/**
 * Whether Kakao accepts the partner key, asked after an answer without a code that may concern one message or one path only,
 * such as the 403 of a firewall. A submission without content asks: Kakao refuses it with a code. Called by the connector.
 */
import type { HttpClient } from '../http-client.ts'
import { readAnswer } from './answer.ts'
import { meaningOf } from './codes.ts'
import type { KakaoOptions } from './options.ts'
import { addressOf, sendHeaders } from './request.ts'

/** While such answers continue, it is asked this often. */
const recheckMs = 5_000

/** `unknown`: Kakao did not answer. */
export type AccountState = 'accepted' | 'refused' | 'unknown'

export class AccountCheck {
  readonly #options: KakaoOptions
  readonly #client: HttpClient
  #checkedAt = -Infinity
  #check: Promise<AccountState> | undefined

  constructor(options: KakaoOptions, client: HttpClient) {
    this.#options = options
    this.#client = client
  }

  state(): Promise<AccountState> {
    if (this.#check === undefined || performance.now() - this.#checkedAt >= recheckMs) {
      this.#checkedAt = performance.now()
      this.#check = this.#ask()
    }
    return this.#check
  }

  async #ask(): Promise<AccountState> {
    const url = addressOf(this.#options.url, 'v3', this.#options.partnerKey, 'alimtalk/send')
    const result = await this.#client.send({ method: 'POST', url, headers: sendHeaders, body: '{}' })
    if (result.kind !== 'answer') return 'unknown'
    const { code } = readAnswer(result.body)
    if (code !== '') return meaningOf(this.#options, code) === 'account' ? 'refused' : 'accepted'
    return [401, 403, 404, 405, 407].includes(result.status) ? 'refused' : 'unknown'
  }
}
