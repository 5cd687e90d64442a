/**
 * Checks whether Kakao accepts the partner key, after a response without a code that can concern a single message or path,
 * such as the 403 of a firewall. Submits a request without content, which Kakao refuses with a code.
 */
import type { HttpClient } from '../http/http-client.ts'
import { parseKakaoResponse } from './response.ts'
import { getKakaoMeaning } from './codes.ts'
import type { KakaoOptions } from './options.ts'
import { buildKakaoUrl, sendHeaders } from './request.ts'

/** Minimum interval between checks while such responses continue. */
const recheckMs = 5_000

/** `unknown`: no response, or one that shows neither. */
export type PartnerKeyState = 'accepted' | 'refused' | 'unknown'

export class AccountCheck {
  readonly #options: KakaoOptions
  readonly #client: HttpClient
  #checkedAt = -Infinity
  #check: Promise<PartnerKeyState> | undefined

  constructor(options: KakaoOptions, client: HttpClient) {
    this.#options = options
    this.#client = client
  }

  state(): Promise<PartnerKeyState> {
    if (this.#check === undefined || performance.now() - this.#checkedAt >= recheckMs) {
      this.#checkedAt = performance.now()
      this.#check = this.#request()
    }
    return this.#check
  }

  async #request(): Promise<PartnerKeyState> {
    const url = buildKakaoUrl(this.#options.url, 'v3', this.#options.partnerKey, 'alimtalk/send')
    const result = await this.#client.send({ method: 'POST', url, headers: sendHeaders, body: '{}' })
    if (result.kind !== 'answer') return 'unknown'
    const { code } = parseKakaoResponse(result.body)
    if (code !== '') return getKakaoMeaning(this.#options, code) === 'account' ? 'refused' : 'accepted'
    return [401, 403, 404, 405, 407].includes(result.status) ? 'refused' : 'unknown'
  }
}
