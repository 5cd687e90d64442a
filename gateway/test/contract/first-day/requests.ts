/** First requests of a new client and the expected responses of a new installation. */
import { makeJpeg } from '../../support/files/images.ts'
import type { SenderKind } from '../../../src/trust/senders/sender.ts'

const from = '0212345678'
const to = '01000000001'
const senderKey = '0123456789abcdef0123456789abcdef01234567'
const templateCode = 'order_shipped_1'
const brandKey = 'BR.4tKq9sXz2m'
const text = 'Your order 20261115-1 has been shipped.'
const fallback = { type: 'SMS', from, text }
const rcs = { from, to, brandKey }
const friendtalk = { senderKey, msgType: 'FT', to, text: 'The autumn collection is here.' }
const brandmessage = { ...friendtalk, sendType: 'free' }

/** Registered once each: the number is enough for SMS, RCS and the fallback of both. */
export const senders: readonly (readonly [kind: SenderKind, value: string])[] = [
  ['number', from],
  ['brand', brandKey],
  ['kakao-key', senderKey],
  ['kakao-template', templateCode],
]

/** JPEG with a size that all upload services accept. */
export const image = makeJpeg(568, 336)

/** The forms in which clients write a Korean mobile number. International sends require a +. */
const mobileForms = ['01000020001', '010-0002-0001', '821000020001', '+821000020001', '+82 10-0002-0001']

/** The next evening in Korea. */
const at21 = `${new Date(Date.now() + 9 * 3_600_000 + 86_400_000).toISOString().slice(0, 10)}T21:00:00%2B09:00`

/** Sends to one recipient of a channel, by the path after /v1/send/. */
const anyChannel: Readonly<Record<string, (recipient: string) => object>> = {
  sms: (recipient) => ({ from, to: recipient, text }),
  mms: (recipient) => ({ from, to: recipient, title: 'Your order', text }),
  international: (recipient) => ({ from, to: recipient, text }),
  rcs: (recipient) => ({ ...rcs, to: recipient, formatId: 'SS000000', content: { standalone: { text } } }),
  alimtalk: (recipient) => ({ senderKey, msgType: 'AT', to: recipient, templateCode, text }),
  friendtalk: (recipient) => ({ ...friendtalk, to: recipient, adFlag: 'N' }),
  brandmessage: (recipient) => ({ ...brandmessage, to: recipient, fallback }),
  omni: (recipient) => ({ destinations: [{ to: recipient }], messageFlow: [{ sms: { from, text } }] }),
}

const writtenForms = Object.entries(anyChannel).flatMap(([channel, toBody]) =>
  mobileForms
    .filter((form) => channel !== 'international' || form.startsWith('+'))
    .map((form): [string, object] => [`${channel}.to ${form}`, toBody(form)]),
)

/**
 * Bodies by `<path after /v1/send/>.<case>`. Programs replace `{{MMS}}`, `{{RCS}}` and `{{FRIENDTALK/FI}}`
 * with the references to their uploads, and `{{RCS fileKey}}` with the key of one.
 */
export const bodies: Readonly<Record<string, object>> = {
  ...Object.fromEntries(writtenForms),
  sms: { from, to, text, ref: 'order-1' },
  'sms.dash': { from, to, text: 'Open on weekdays, 9—18.' },
  mms: { from, to, title: 'Opening hours', text: 'From Monday on we open at nine. '.repeat(8).trim() },
  'mms.image': { from, to, text: 'Show this image at the counter.', fileKey: ['{{MMS}}'] },
  international: { from, to: '+14155550001', text: 'Your code is 482913.' },
  rcs: {
    ...rcs,
    formatId: 'SL000000',
    content: {
      standalone: { title: 'Your order', text, button: [{ type: 'MAP_QRY', name: 'Shop', query: 'Mapo' }] },
    },
    fallback: { type: 'SMS', text },
  },
  'rcs.image': {
    ...rcs,
    formatId: 'SMwThM00',
    content: { standalone: { title: 'Autumn sale', text: 'Until Sunday.', media: '{{RCS}}' } },
  },
  'rcs.fileKey': {
    ...rcs,
    formatId: 'SMwThM00',
    content: { standalone: { title: 'Autumn sale', text: 'Until Sunday.', media: '{{RCS fileKey}}' } },
  },
  'rcs.empty content': { ...rcs, formatId: 'SS000000', content: {}, body: { description: text } },
  'rcs.expert': {
    ...rcs,
    formatId: 'ITBRNEW001',
    body: { title: 'Your order', description: text },
    buttons: [
      {
        suggestions: ['Track', 'Change', 'Cancel'].map((displayText) => ({
          action: { displayText, urlAction: { openUrl: { url: 'https://example.com/orders/1' } } },
        })),
      },
    ],
  },
  alimtalk: { senderKey, msgType: 'AT', to, templateCode, text, fallback },
  'alimtalk.82': { senderKey, msgType: 'AT', to: to.replace(/^0/, '82'), templateCode, text },
  friendtalk: { ...friendtalk, fallback },
  'friendtalk.alone': friendtalk,
  [`friendtalk?sendAt=${at21}.no advertisement`]: { ...friendtalk, adFlag: 'N' },
  [`friendtalk?sendAt=${at21}.advertisement`]: friendtalk,
  'friendtalk.image': { ...friendtalk, msgType: 'FI', imgUrl: '{{FRIENDTALK/FI}}', fallback },
  brandmessage: { ...brandmessage, fallback },
  'brandmessage.alone': brandmessage,
  'omni.empty words': { destinations: [{ to, replaceWords: [] }], messageFlow: [{ sms: { from, text } }] },
  omni: {
    destinations: [{ to, replaceWords: { name: 'Kim', orders: 3, member: true } }],
    messageFlow: [
      {
        alimtalk: {
          senderKey,
          msgType: 'AT',
          templateCode,
          text: '#{name}: #{orders} orders, member #{member}',
        },
      },
      { sms: { from, text: '#{name}: #{orders} orders' } },
    ],
    ref: 'orders-1',
  },
}

export interface ExpectedResponse {
  readonly status: number
  readonly code: string
  /** Pattern that the response body must match. */
  readonly bodyPattern: RegExp
}

const sent: ExpectedResponse = { status: 200, code: 'A000', bodyPattern: /"msgKey":"[^"]{32}"/ }
const night: ExpectedResponse = { status: 400, code: 'A341', bodyPattern: /from 08:00 to 20:50 .*sendAt/ }

/** Returns the expected response. Advertisements without a fallback depend on the time in Korea. */
export function findExpectedResponse(request: string, at: Date): ExpectedResponse {
  if (request.startsWith('token')) return { status: 200, code: 'A000', bodyPattern: /"token":"[^"]+"/ }
  if (request.startsWith('upload'))
    return { status: 200, code: 'A000', bodyPattern: /"(?:fileKey|media|imgUrl)":"[^"]+"/ }
  if (request.endsWith('.alone')) return isNightInKorea(at) ? night : sent
  if (request.endsWith('.advertisement')) return night
  return special[request] ?? sent
}

const special: Readonly<Record<string, ExpectedResponse>> = {
  // Operators must open countries first, because international traffic costs money and attracts fraud.
  international: { status: 400, code: 'A342', bodyPattern: /ask the service operator/ },
  'sms without Content-Type': {
    status: 415,
    code: 'A300',
    bodyPattern: /Content-Type must be application\/json/,
  },
  polling: { status: 200, code: 'A000', bodyPattern: /"reportId":"[^"]+".*"reportCode":"10000"/ },
  acknowledgement: { status: 200, code: 'A000', bodyPattern: /Success/ },
  inquiry: { status: 200, code: 'A000', bodyPattern: /"reportCode":"10000"/ },
}

function isNightInKorea(at: Date): boolean {
  const minutes = ((at.getUTCHours() + 9) % 24) * 60 + at.getUTCMinutes()
  return minutes < 8 * 60 || minutes >= 20 * 60 + 50
}
