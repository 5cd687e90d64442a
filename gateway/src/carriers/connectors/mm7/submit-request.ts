/**
 * Converts a submission to an HTTP request. The same submission gives the same bytes except for the time, so that a repeat has the
 * same TransactionID.
 */
import { createHash } from 'node:crypto'
import type { SubmissionContent } from '../../../channels/mms/mms.ts'
import type { Submission } from '../connector.ts'
import { encodeMarkup, escapeXml, labels } from './charset.ts'
import { writeContent } from './content.ts'
import { writeMultipart } from '../http/multipart.ts'
import { formatNumber } from '../phone-number.ts'
import { dialects, buildNamespace } from './dialect.ts'
import type { Mm7Options } from './options.ts'
import { submitElements } from './submit-elements.ts'

export interface Mm7Request {
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}

export function submitRequest(
  options: Mm7Options,
  submission: Submission,
  content: SubmissionContent,
  images: readonly Buffer[],
  now: Date,
): Mm7Request {
  const dialect = dialects[options.dialect]
  const charset = options.charset ?? dialect.charset
  const digest = createHash('sha256').update(submission.reference).digest()
  const hex = digest.toString('hex')
  const boundary = `mm7-${hex.slice(0, 24)}`
  const written = writeContent({
    options,
    charset,
    content,
    images,
    contentId: (index) =>
      options.dialect === 'skt' ? `${toDigits(digest, 21)}${index}` : contentNames[index]!,
    boundary: `part-${hex.slice(0, 24)}`,
  })
  const number = (given: string): string =>
    formatNumber(given, options.numbers ?? dialect.numbers, options.countryCode)
  const transactionId = toTransactionId(options, submission.reference)
  const operation = submitElements({
    options,
    content,
    now,
    from: number(submission.from),
    to: number(submission.to),
    originCode: submission.originCid ?? options.originCode,
    isAdvertisement: submission.isAdvertisement,
    validUntil: submission.validUntil,
    contentId: written.id,
  })
  const xml = writeEnvelope(options, 'SubmitReq', transactionId, operation)
  const body = writeMultipart(
    [
      {
        headers: [
          ['Content-Type', `text/xml; charset="${labels[charset].mime}"`],
          ['Content-ID', `<${dialect.startId}>`],
          ['Content-Transfer-Encoding', '8bit'],
        ],
        body: encodeMarkup(xml, charset),
      },
      written.part,
    ],
    boundary,
  )
  return {
    headers: {
      'content-type': `multipart/related; type="text/xml"; start="<${dialect.startId}>"; boundary="${boundary}"`,
      soapaction: '""',
      ...toAuthorization(options),
    },
    body,
  }
}

const contentNames = ['smil', 'text']

/** As in published samples, the namespace covers every element at 3GPP and SKT, and only the operation at KT and LGU+. */
export function writeEnvelope(
  options: Mm7Options,
  operation: string,
  transactionId: string,
  elements: string,
): string {
  const dialect = dialects[options.dialect]
  const namespace = buildNamespace(options.release ?? dialect.release)
  const [prefix, declared] =
    options.dialect === '3gpp' || options.dialect === 'skt' ? ['', 'xmlns'] : ['mm7:', 'xmlns:mm7']
  return (
    `<?xml version="1.0" encoding="${labels[options.charset ?? dialect.charset].xml}"?>\n` +
    '<env:Envelope xmlns:env="http://schemas.xmlsoap.org/soap/envelope/"><env:Header>' +
    `<mm7:TransactionID xmlns:mm7="${namespace}" env:mustUnderstand="1">${escapeXml(transactionId)}</mm7:TransactionID>` +
    `</env:Header><env:Body><${prefix}${operation} ${declared}="${namespace}">${elements}</${prefix}${operation}>` +
    '</env:Body></env:Envelope>'
  )
}

export function toTransactionId(options: Mm7Options, reference: string): string {
  const digits = options.transactionIdDigits ?? dialects[options.dialect].transactionIdDigits
  return digits === 0 ? reference : toDigits(createHash('sha256').update(reference).digest(), digits)
}

function toDigits(digest: Buffer, count: number): string {
  return BigInt(`0x${digest.toString('hex')}`)
    .toString()
    .slice(-count)
}

function toAuthorization({ user, password }: Mm7Options): Readonly<Record<string, string>> {
  if (user === undefined) return {}
  return { authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}` }
}
