/**
 * Sends user messages to `replyUrl` until the receiver responds with code 10000, or keeps them to be polled.
 * `moNumber` is the recipient of the user message and `moCallback` the user, as in
 * total-msg-hub/restapi_sample; RAVNUS-INC/kotify reads them in reverse.
 */
import type { Fields } from '../shared/json-body.ts'
import { parseFields } from '../shared/json-body.ts'
import { WebhookSender } from '../shared/webhook-sender.ts'
import { koreanTime } from '../shared/korean.ts'
import type { MsghubOptions } from './settings.ts'

export class MsghubReplies {
  readonly #url: string | undefined
  readonly #newKey: () => string
  readonly #sender: WebhookSender
  #waiting: Fields[] = []

  constructor(options: MsghubOptions, newKey: () => string) {
    this.#url = options.replyUrl
    this.#newKey = newKey
    this.#sender = new WebhookSender({
      window: options.window,
      timeoutMs: options.receiptTimeoutMs,
      retryMs: options.receiptRetryMs,
      maxTries: options.receiptTries,
      acknowledges: ({ status, body }) => status === 200 && parseFields(body, 1000)?.['code'] === '10000',
    })
  }

  /** Resolves true if the reply was acknowledged, false if it is queued for polling or was dropped. */
  async add(from: string, to: string, text: string): Promise<boolean> {
    const reply = {
      moKey: this.#newKey(),
      moNumber: to,
      moType: 'SMSMO',
      moCallback: from,
      productCode: 'SMSMO',
      moTitle: null,
      moMsg: text,
      telco: 'LGU',
      contentCnt: 0,
      contentInfoLst: null,
      moRecvDt: koreanTime(),
    }
    if (this.#url === undefined) {
      this.#waiting.push(reply)
      return false
    }
    const body = JSON.stringify({ moCnt: 1, moLst: [reply] })
    return this.#sender.send({ url: this.#url, headers: { 'content-type': 'application/json' }, body })
  }

  poll(): Fields {
    const moLst = this.#waiting
    this.#waiting = []
    return { moCnt: moLst.length, moLst }
  }

  clear(): void {
    this.#sender.clear()
    this.#waiting = []
  }

  close(): void {
    this.#sender.close()
  }
}
