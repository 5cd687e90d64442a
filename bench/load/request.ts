/**
 * The bytes of one send request, made once per connection and patched in place: a request costs a few writes of
 * digits and no allocation. Recipients end in 1000 to 1999, which the simulator delivers.
 */
const text = '[포스턴] 인증번호는 482913 입니다. 3분 안에 입력해 주세요.'
const recipientMark = '01000001000'
const refMark = 'order-2026-0000000000'

export class Request {
  readonly bytes: Buffer
  readonly #recipientAt: number
  readonly #refAt: number

  constructor(port: number, token: string) {
    const body = JSON.stringify({ from: '15881588', to: recipientMark, text, ref: refMark })
    const head = [
      'POST /v1/send/sms HTTP/1.1',
      `Host: 127.0.0.1:${port}`,
      `Authorization: Bearer ${token}`,
      'Content-Type: application/json',
      `Content-Length: ${Buffer.byteLength(body)}`,
    ]
    this.bytes = Buffer.from(`${head.join('\r\n')}\r\n\r\n${body}`)
    this.#recipientAt = this.bytes.indexOf(recipientMark)
    this.#refAt = this.bytes.indexOf(refMark)
  }

  number(value: number): void {
    this.#digits(this.#recipientAt + 3, 4, Math.floor(value / 1000))
    this.#digits(this.#recipientAt + 8, 3, value)
    this.#digits(this.#refAt + 11, 10, value)
  }

  /** The last `count` decimal digits of the value. */
  #digits(at: number, count: number, value: number): void {
    let rest = value
    for (let place = at + count - 1; place >= at; place--) {
      this.bytes[place] = 48 + (rest % 10)
      rest = Math.floor(rest / 10)
    }
  }
}
