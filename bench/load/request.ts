/**
 * The bytes of one send request, created once per connection and patched in place: a request writes a few
 * digits and allocates nothing. Recipients end in 1000 to 1999, which the simulator delivers. Also lists the senders
 * and the link domain of the requests.
 */
import type { SendName } from './job.ts'

const recipientMark = '01000001000'
const refMark = 'order-2026-0000000000'

const sms = {
  from: '15881588',
  to: recipientMark,
  text: '[포스턴] 인증번호는 482913 입니다. 3분 안에 입력해 주세요.',
  ref: refMark,
}

/** An order notice of three steps with placeholders. */
const omni = {
  destinations: [{ to: recipientMark, replaceWords: { name: '김하나', order: '2026-1115-0042' } }],
  messageFlow: [
    {
      rcs: {
        from: '15881588',
        formatId: 'SL000000',
        brandKey: 'BR.bench0123456789',
        content: {
          standalone: {
            title: '주문 안내',
            text: '#{name}님, 주문 #{order}번이 접수되었습니다. 내일까지 도착합니다.',
            button: [{ type: 'URL', name: '주문 보기', url: 'https://example.com/orders/#{order}' }],
          },
        },
      },
    },
    {
      alimtalk: {
        senderKey: '0123456789abcdef0123456789abcdef01234567',
        msgType: 'AT',
        templateCode: 'ORDER_RECEIVED_01',
        text: '#{name}님, 주문 #{order}번이 접수되었습니다. 내일까지 도착합니다.',
        attachment: {
          button: [{ type: 'WL', name: '주문 보기', urlMobile: 'https://example.com/orders/#{order}' }],
        },
      },
    },
    { sms: { from: '15881588', text: '[포스턴] #{name}님, 주문 #{order}번이 접수되었습니다.' } },
  ],
  ref: refMark,
}

/** Senders and link domain, for a gateway that requires their registration. */
export const linkDomain = 'example.com'
export const benchSenders = [
  { kind: 'number', value: sms.from },
  { kind: 'chatbot', value: sms.from },
  { kind: 'brand', value: 'BR.bench0123456789' },
  { kind: 'kakao-key', value: '0123456789abcdef0123456789abcdef01234567' },
  { kind: 'kakao-template', value: 'ORDER_RECEIVED_01' },
] as const

const bodies: Readonly<Record<SendName, object>> = { sms, omni }

export class RequestTemplate {
  readonly bytes: Buffer
  readonly #recipientAt: number
  readonly #refAt: number

  constructor(port: number, token: string, send: SendName) {
    const body = JSON.stringify(bodies[send])
    const head = [
      `POST /v1/send/${send} HTTP/1.1`,
      `Host: 127.0.0.1:${port}`,
      `Authorization: Bearer ${token}`,
      'Content-Type: application/json',
      `Content-Length: ${Buffer.byteLength(body)}`,
    ]
    this.bytes = Buffer.from(`${head.join('\r\n')}\r\n\r\n${body}`)
    this.#recipientAt = this.bytes.indexOf(recipientMark)
    this.#refAt = this.bytes.indexOf(refMark)
  }

  /**
   * Sets the request number. Consecutive recipients have different prefixes, because consecutive numbers are
   * an abuse pattern.
   */
  setNumber(value: number): void {
    this.#digits(this.#recipientAt + 3, 4, value)
    this.#digits(this.#recipientAt + 8, 3, Math.floor(value / 10_000))
    this.#digits(this.#refAt + 11, 10, value)
  }

  /** Writes the last `count` decimal digits of the value. */
  #digits(at: number, count: number, value: number): void {
    let rest = value
    for (let place = at + count - 1; place >= at; place--) {
      this.bytes[place] = 48 + (rest % 10)
      rest = Math.floor(rest / 10)
    }
  }
}
