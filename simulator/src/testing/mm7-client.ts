/** An MM7 client that submits over node:http and receives delivery reports. */
import { request } from 'node:http'
import { HttpServer } from '../shared/http-server.ts'
import type { HttpOutcome } from '../shared/http-server.ts'
import type { DialectName } from '../mm7/dialect.ts'

/** KS X 1001 octet pairs by character. */
const pairs = new Map<string, number>()
const decoder = new TextDecoder('euc-kr')
for (let first = 0xa1; first <= 0xfe; first++) {
  for (let second = 0xa1; second <= 0xfe; second++) {
    pairs.set(decoder.decode(Buffer.from([first, second])), first * 256 + second)
  }
}

export function encodeEucKr(text: string): Buffer {
  return Buffer.from(
    Array.from(text).flatMap((character) => {
      const pair = pairs.get(character)
      return pair === undefined ? [character.charCodeAt(0)] : [pair >> 8, pair & 0xff]
    }),
  )
}

export const jpeg = Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0x00, 0x10, 0x0d, 0x0a, 0x2d, 0x2d, 0xff, 0xd9])

const release = (name: string): string =>
  `http://www.3gpp.org/ftp/Specs/archive/23_series/23.140/schema/${name}`

/** SubmitReq content before the subject, from each carrier's guide. */
const bodies: Readonly<Record<DialectName, (to: string) => string>> = {
  '3gpp': (to) =>
    `<MM7Version>6.8.0</MM7Version><SenderIdentification><VASPID>vasp</VASPID><VASID>vas</VASID>` +
    `<SenderAddress><Number>0215881588</Number></SenderAddress></SenderIdentification>` +
    `<Recipients><To><Number>${to}</Number></To></Recipients><DeliveryReport>true</DeliveryReport>`,
  skt: (to) =>
    `<MM7Version>5.3.0</MM7Version><SenderIdentification><VASPID>vasp</VASPID><VASID>vas</VASID>` +
    `<X-SKT-BPID>partner</X-SKT-BPID><X-SKT-RELAY-BPID>0009</X-SKT-RELAY-BPID>` +
    `<SenderAddress>0215881588</SenderAddress></SenderIdentification><X-SKT-ORIG-BPID>123456789</X-SKT-ORIG-BPID>` +
    `<Recipients><To><Number>${to}</Number></To></Recipients><LinkedID/><MessageClass>Personal</MessageClass>` +
    `<DeliveryReport>True</DeliveryReport><ReadReply>False</ReadReply><Priority>Normal</Priority>`,
  kt: (to) =>
    `<ServiceType>MMSMT1</ServiceType><MM7Version>1.0</MM7Version><SenderIdentification><VASPID>vasp</VASPID>` +
    `<VASID>vas</VASID><CPID>partner</CPID><SenderAddress>0212345678</SenderAddress>` +
    `<CallBack>0215881588</CallBack></SenderIdentification><Recipients><To><Number>${to}</Number></To></Recipients>` +
    `<MessageClass>GENERAL</MessageClass><DeliveryReport>TRUE</DeliveryReport><ResellerCode>123456789</ResellerCode>`,
  lgu: (to) =>
    `<MM7Version>5.3.0</MM7Version><SenderIdentification><VASPID>vasp</VASPID><VASID>vas</VASID>` +
    `<SenderAddress>0212345678</SenderAddress><CallBack>0215881588</CallBack></SenderIdentification>` +
    `<Recipients><To><Number>${to}</Number></To></Recipients><KisaOrigCode>123456789</KisaOrigCode>`,
}

export const releases: Readonly<Record<DialectName, string>> = {
  '3gpp': release('REL-6-MM7-1-4'),
  skt: release('REL-5-MM7-1-0'),
  kt: release('REL-5-MM7-1-2'),
  lgu: release('REL-5-MM7-1-2'),
}

export interface Submit {
  readonly dialect: DialectName
  readonly to: string
  readonly transactionId?: string
  readonly subject?: string
  readonly text?: string
  readonly image?: Buffer
  /** `user:password` */
  readonly basicAuth?: string
  /** Edits the serialized SubmitReq. */
  readonly edit?: (xml: string) => string
}

export interface MimeRequest {
  readonly contentType: string
  readonly body: Buffer
}

let transactions = 0

export function buildEnvelope(
  dialect: DialectName,
  transactionId: string,
  operation: string,
  content: string,
): string {
  const namespace = releases[dialect]
  return (
    `<?xml version="1.0" encoding="${dialect === '3gpp' ? 'utf-8' : 'euc-kr'}"?>\n` +
    '<env:Envelope xmlns:env="http://schemas.xmlsoap.org/soap/envelope/"><env:Header>' +
    `<mm7:TransactionID xmlns:mm7="${namespace}" env:mustUnderstand="1"> ${transactionId} </mm7:TransactionID>` +
    `</env:Header><env:Body><mm7:${operation} xmlns:mm7="${namespace}">${content}</mm7:${operation}></env:Body></env:Envelope>`
  )
}

export function submitRequest({ dialect, to, edit, ...rest }: Submit): MimeRequest {
  const { transactionId = String(++transactions), subject = '제목', text = '안녕하세요', image = jpeg } = rest
  const charset = dialect === '3gpp' ? 'utf-8' : 'euc-kr'
  const encode = (value: string): Buffer => (charset === 'utf-8' ? Buffer.from(value) : encodeEucKr(value))
  const written = `${bodies[dialect](to)}<Subject>${subject}</Subject><Content href="cid:mms" allowAdaptations="true"/>`
  const xml = buildEnvelope(dialect, transactionId, 'SubmitReq', edit?.(written) ?? written)
  const body = Buffer.concat([
    Buffer.from(`--outer\r\nContent-Type: text/xml; charset="${charset}"\r\nContent-ID: <soap>\r\n\r\n`),
    encode(xml),
    Buffer.from(
      '\r\n--outer\r\nContent-Type: multipart/related; boundary="inner"\r\nContent-ID: <mms>\r\n\r\n',
    ),
    Buffer.from(
      `--inner\r\nContent-Type: text/plain; charset="${charset}"\r\nContent-Transfer-Encoding: 8bit\r\n\r\n`,
    ),
    encode(text),
    Buffer.from(
      '\r\n--inner\r\nContent-Type: image/jpeg\r\nContent-ID: <a.jpg>\r\nContent-Transfer-Encoding: base64\r\n\r\n',
    ),
    Buffer.from(image.toString('base64')),
    Buffer.from('\r\n--inner--\r\n\r\n--outer--\r\n'),
  ])
  return { contentType: 'multipart/related; type="text/xml"; start="<soap>"; boundary="outer"', body }
}

export interface Reply {
  readonly status: number
  readonly contentType: string
  readonly body: string
}

export function postMime(
  port: number,
  path: string,
  { contentType, body }: MimeRequest,
  auth?: string,
): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': contentType, 'content-length': body.length, soapaction: '""' }
    const outgoing = request({ host: '127.0.0.1', port, path, method: 'POST', headers, auth })
    outgoing.once('error', reject)
    outgoing.once('response', (response) => {
      let text = ''
      response.setEncoding('latin1')
      response.on('data', (chunk: string) => (text += chunk))
      response.once('end', () =>
        resolve({
          status: response.statusCode!,
          contentType: response.headers['content-type'] ?? '',
          body: text,
        }),
      )
    })
    outgoing.end(body)
  })
}

export const getElementText = (xml: string, element: string): string | undefined =>
  new RegExp(`<${element}>([^<]*)</${element}>`).exec(xml)?.[1]

export interface ReportReceiver {
  readonly url: string
  readonly reports: string[]
  close(): Promise<void>
}

export function acknowledgement(code = '1000'): HttpOutcome {
  const status = `<Status><StatusCode>${code}</StatusCode><StatusText>OK</StatusText></Status>`
  const body = buildEnvelope('kt', 't', 'DeliveryReportRsp', status)
  return { status: 200, headers: { 'content-type': 'text/xml; charset="euc-kr"' }, body }
}

/** Receives reports and responds to each as configured. */
export async function receiveReports(
  answer: (report: string, count: number) => HttpOutcome = () => acknowledgement(),
): Promise<ReportReceiver> {
  const reports: string[] = []
  const server = new HttpServer({
    host: '127.0.0.1',
    port: 0,
    maxBodyBytes: 65_536,
    handler: ({ body }) => {
      reports.push(body.toString('latin1'))
      return answer(reports.at(-1)!, reports.length)
    },
  })
  await server.listen()
  return { url: `http://127.0.0.1:${server.port}/report`, reports, close: () => server.close() }
}
