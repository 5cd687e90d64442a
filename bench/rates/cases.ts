/**
 * Cases of `npm run suite -- rates`: for each carrier protocol, and for Twilio as one of the providers, a carrier in
 * its own process, the options of a route to it, and a message. Results arrive over the connector if its protocol
 * allows.
 */
import { flowSubmission, alimtalk, everyResult } from '../../gateway/test/support/carriers/kakao-messages.ts'
import { rcsSubmission } from '../../gateway/test/support/carriers/maap.ts'
import { jpeg, mmsSubmission } from '../../gateway/test/support/carriers/mm7.ts'
import { rcsSubmission as rbmSubmission, serviceAccount } from '../../gateway/test/support/carriers/rbm.ts'
import { submission } from '../../gateway/test/support/smpp/fixtures.ts'
import type { ConnectorFile, Submission } from '../../gateway/src/carriers/connectors/connector.ts'

export interface RateCase {
  readonly name: string
  readonly kind: string
  /** Script and arguments of the carrier. */
  readonly carrier: readonly string[]
  readonly options: (port: number) => Readonly<Record<string, unknown>>
  readonly message: Submission
  readonly file?: ConnectorFile
  /** How results arrive. Results of a webhook reach an API process and are not measured. */
  readonly results: string
}

const simulated = (...args: string[]): string[] => ['simulator/src/main.ts', ...args, '--record-limit', '0']
const ports = ['--port', '0', '--control-port', '0']
const forgetful = ['--remember-ids', '0']
const at = (port: number, path = ''): string => `http://127.0.0.1:${port}${path}`
const byWebhook = 'webhook'

const from = '15881588'
const to = '01012345678'
const text = '주문하신 상품이 출발했습니다. 내일 도착합니다.'
const rcs = {
  from,
  to,
  formatId: 'SL000000',
  brandKey: 'BK.key',
  content: {
    standalone: {
      title: '주문 안내',
      text,
      button: [{ type: 'URL', name: '주문 보기', url: 'https://shop.example/orders/1' }],
    },
  },
}
const agency = { agencyKey: 'AK.key', webhookToken: 'token-of-the-statuses' }
const sms = submission(
  {
    from,
    to,
    given: { channel: 'sms', from, text },
    message: { channel: 'sms', content: { text } },
    part: null,
  },
  text,
)
const mm7 = {
  kind: 'mm7',
  carrier: simulated('mm7', '--dialect', 'kt', '--remember-transactions', '0', ...ports),
  options: (port: number) => ({
    url: at(port, '/'),
    dialect: 'kt',
    vaspId: 'vasp',
    vasId: 'vas',
    partnerId: 'p',
    webhookToken: 'token-of-the-reports',
  }),
  results: byWebhook,
}
const image = jpeg(700)

export const cases: readonly RateCase[] = [
  {
    name: 'smpp: SMS',
    kind: 'smpp',
    results: 'same session',
    carrier: ['simulator/src/main.ts', 'smsc', ...ports],
    options: (port) => ({ host: '127.0.0.1', port, systemId: 'postern', password: 'secret08' }),
    message: submission({ from, to }, 'Your order has left. It arrives tomorrow.'),
  },
  {
    name: 'twilio: SMS',
    kind: 'twilio',
    results: byWebhook,
    carrier: ['bench/rates/carrier.ts'],
    options: (port) => ({ url: at(port), accountSid: 'AC1', authToken: 'secret08' }),
    message: sms,
  },
  {
    name: 'omni: SMS',
    kind: 'omni',
    results: 'stream',
    carrier: ['bench/rates/carrier.ts'],
    options: (port) => ({
      url: at(port),
      clientId: 'acme',
      password: 'secret08',
      results: 'stream',
      idempotency: true,
    }),
    message: sms,
  },
  {
    ...mm7,
    name: 'mm7: LMS',
    message: mmsSubmission({ from, to, title: '주문 안내', text, originCID: '123456789' }),
  },
  {
    ...mm7,
    name: `mm7: MMS with an image of ${Math.round(image.length / 1000)} kB`,
    message: mmsSubmission({
      from,
      to,
      title: '주문 안내',
      text,
      originCID: '123456789',
      fileKey: ['image'],
    }),
    file: { key: 'image', bytes: image, contentType: 'image/jpeg', name: 'image.jpg' },
  },
  {
    name: 'kakao: alimtalk',
    kind: 'kakao',
    results: 'polling',
    carrier: simulated('kakao', '--remember-serials', '0', ...ports),
    options: (port) => ({
      url: at(port),
      uploadUrl: at(port),
      partnerKey: 'key',
      channelKey: 'channel',
      results: everyResult('polling'),
      pollIntervalMs: 10,
    }),
    message: flowSubmission('alimtalk', { ...alimtalk, text }),
  },
  {
    name: 'maap: RCS',
    kind: 'maap',
    results: byWebhook,
    carrier: simulated('maap', '--carrier', 'skt', ...forgetful, ...ports),
    options: (port) => ({
      agencyId: 'agency',
      ...agency,
      carriers: { skt: { url: at(port, '/ag/1.2'), clientId: 'c', clientSecret: 's' } },
    }),
    message: rcsSubmission(rcs),
  },
  {
    name: 'maap-kt: RCS',
    kind: 'maap-kt',
    results: 'polling',
    carrier: simulated('maap', '--carrier', 'kt-relay', ...forgetful, ...ports),
    options: (port) => ({
      url: at(port, '/corp/v1'),
      queryUrl: at(port, '/corp/v1'),
      rcsId: 'c',
      rcsSecret: 's',
      ...agency,
      results: 'polling',
      pollIntervalMs: 10,
    }),
    message: rcsSubmission(rcs),
  },
  {
    name: 'rbm: RCS',
    kind: 'rbm',
    results: byWebhook,
    carrier: simulated('rbm', ...forgetful, ...ports),
    options: (port) => ({
      url: at(port),
      agentId: 'acme_agent',
      clientToken: 'client-token',
      serviceAccount: serviceAccount({ token_uri: at(port, '/token') }),
    }),
    message: rbmSubmission(rcs),
  },
]
