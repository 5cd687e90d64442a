/**
 * Options of an MM7 route: everything that differs between carriers or that their published samples leave open. The schema
 * defines the type, the validation and the documentation (docs/reference/connectors/mm7.md).
 */
import { Type, type Static } from 'typebox'
import { causes } from '../../../channels/cause.ts'
import type { MobileCarrier } from '../../../channels/mobile-carriers.ts'
import {
  accountName,
  addressToken,
  closed,
  countryCode,
  integer,
  milliseconds,
  receiptGroup,
  referable,
  secret,
  tls,
  url,
} from '../options/options.ts'
import { charsetNames } from './charset.ts'
import { numberFormats } from '../phone-number.ts'
import { dialectNames } from './dialect.ts'

/** Printable ASCII without spaces, because it is written into headers and elements. */
const word = (description: string, maxLength = 64, standard?: string) =>
  Type.String({
    description,
    maxLength,
    pattern: '^[\\x21-\\x7E]*$',
    ...(standard === undefined ? { minLength: 1 } : { default: standard }),
  })

const failures = causes.filter((name) => name !== 'delivered')

/** Mobile carriers with their own networks. */
const portedCarriers = ['10001', '10002', '10003'] as const satisfies readonly MobileCarrier[]

export const submitMeanings = ['accepted', 'throttled', 'unreachable', 'unknown'] as const
export const reportMeanings = ['delivered', 'pending'] as const

const codes = (description: string, meanings: readonly string[]) =>
  Type.Record(
    Type.String({ maxLength: 32 }),
    Type.Enum([...meanings, ...failures], {
      title: `${meanings.map((meaning) => `"${meaning}"`).join(', ')} or a cause`,
      description: 'A meaning, or the cause of a failure.',
    }),
    { description, default: {} },
  )

const skt = Type.Object(
  {
    relayId: word(
      'X-SKT-RELAY-BPID: the number of the relaying operator for spam reports of KISA. Required for SKT.',
      16,
      '',
    ),
    textType: word(
      'Content-Type of the text part. Samples show text/skt-xt and text/x-sktxt.',
      64,
      'text/skt-xt',
    ),
    contentServiceId: word('X-SKT-CIDSID of every part, assigned by SKT.', 16, '000000000000'),
    originPlace: Type.Enum(['submit', 'sender'], {
      description:
        'Position of X-SKT-ORIG-BPID: in SubmitReq after SenderIdentification, or in SenderIdentification. Samples show both.',
      default: 'submit',
    }),
    serviceType: word('X-SKT-Service-Type of every part.', 4, '0'),
  },
  { ...closed, description: 'Options of the SKT dialect.', default: {} },
)

export const Mm7Options = Type.Object(
  {
    dialect: Type.Enum([...dialectNames], {
      description: '3gpp: TS 23.140. skt, kt, lgu: dialects of these carriers.',
    }),
    url: url('URL for submissions with its path: /mmsr41/mm7 at SKT, / at KT and LGU+.'),
    user: Type.Optional(
      accountName('User name for HTTP basic authentication, if the carrier requires it.', 128),
    ),
    password: Type.Optional(secret('Password for HTTP basic authentication.', 256)),
    tls,
    vaspId: Type.String({ ...word('VASPID, assigned by the carrier.'), ...referable }),
    vasId: Type.String({ ...word('VASID, assigned by the carrier; at LGU+ the CID.'), ...referable }),
    partnerId: Type.Optional(
      Type.String({ ...word('X-SKT-BPID of SKT or CPID of KT, which require it.'), ...referable }),
    ),
    billingNumber: Type.Optional(
      Type.String({
        description: 'SenderAddress at KT and LGU+, the number that is billed. Default: the sender.',
        pattern: '^\\d{3,20}$',
      }),
    ),
    originCode: Type.Optional(
      Type.String({
        description:
          'Registration number of the operator that first accepted a message, for clients that set none. 3gpp has no element for it.',
        pattern: '^[0-9A-Za-z]{1,20}$',
      }),
    ),
    version: Type.Optional(word('MM7Version. Default: 6.8.0 in 3gpp, 5.3.0 at SKT and LGU+, 1.0 at KT.', 16)),
    release: Type.Optional(
      word(
        'Last part of the namespace. Default: REL-6-MM7-1-4 in 3gpp, REL-5-MM7-1-0 at SKT, REL-5-MM7-1-2 at KT and LGU+.',
        32,
      ),
    ),
    charset: Type.Optional(
      Type.Enum([...charsetNames], {
        description:
          'Charset of the envelope and the texts. euc-kr: KS X 1001 only; a text with other characters is refused as unsupported. cp949: only if the carrier agrees to it. Default: utf-8 in 3gpp, otherwise euc-kr.',
      }),
    ),
    numbers: Type.Optional(
      Type.Enum([...numberFormats], {
        description: 'Format of numbers. Default: e164 in 3gpp, otherwise domestic.',
      }),
    ),
    countryCode: countryCode('Country of domestic numbers.'),
    transactionIdDigits: Type.Optional(
      Type.Integer({
        description:
          'Number of digits of a TransactionID derived from our reference. 0: the reference itself, up to 50 characters. Default: 5 at SKT, otherwise 0.',
        minimum: 0,
        maximum: 18,
      }),
    ),
    repeatable: Type.Optional(
      Type.Boolean({
        description:
          'Whether the carrier refuses a TransactionID that it already accepted (KT with 2163), so that a submission without a response can be repeated. Default: true at KT, otherwise false.',
      }),
    ),
    skt,
    expiryDate: Type.Boolean({
      description:
        'Send ExpiryDate, the deadline of the step, at KT and LGU+ as well, whose samples do not have it. Ask the carrier: without it, a message can be delivered after its fallback. 3gpp and SKT always get it.',
      default: false,
    }),
    kmmsServiceCode: Type.Optional(word('X-Kmms-SVCCODE of every part at LGU+; not sent by default.', 32)),
    lineBreaks: Type.Enum(['element', 'character'], {
      description: 'In HTML and XHTML texts (SKT; KT with images). element: <br/>. character: a line feed.',
      default: 'element',
    }),
    imageSource: Type.Enum(['name', 'cid'], {
      description: 'Image references in the HTML of KT: the file name, or cid: and the Content-ID.',
      default: 'name',
    }),
    imageEncoding: Type.Enum(['base64', 'binary'], {
      description: 'Content-Transfer-Encoding of images.',
      default: 'base64',
    }),
    maxImageBytes: integer(
      'Maximum image size in bytes. A message with a larger image is refused.',
      307_200,
      1,
      10_485_760,
    ),
    window: integer('Maximum number of open submissions, and of connections.', 20, 1, 1_000),
    connectTimeoutMs: milliseconds('Time limit for connecting.', 10_000),
    responseTimeoutMs: milliseconds('Time limit for a response. Then the outcome is unknown.', 30_000),
    throttleRetryMs: milliseconds('Pause of the route after the carrier throttles it.', 1_000),
    stopTimeoutMs: milliseconds('Maximum time that a stop waits for open submissions.', 10_000),
    webhookToken: Type.Optional(
      addressToken(
        'Last part of the URL for reports, /inbound/<route>/<token>. Either it or reportUser and reportPassword are required.',
      ),
    ),
    previousWebhookToken: Type.Optional(
      addressToken(
        'The token before its last change. It is accepted as well, until the carrier uses the new URL.',
      ),
    ),
    reportUser: Type.Optional(accountName('User name for HTTP basic authentication of reports.', 128)),
    reportPassword: Type.Optional(secret('Password for HTTP basic authentication of reports.', 256)),
    reportResponse: word('Name of the response element for a report.', 64, 'DeliveryReportRsp'),
    receiptGroup: receiptGroup('routes with the same host, vaspId and vasId'),
    submitCodes: codes(
      'Meaning of each StatusCode of a response that differs from the table below: { "4006": "throttled" }.',
      submitMeanings,
    ),
    reportCodes: codes(
      'Meaning of each MMStatus or StatusCode of a report that differs from the table below: { "8300": "pending" }.',
      reportMeanings,
    ),
    portedCodes: Type.Record(
      Type.String({ maxLength: 32 }),
      Type.Enum([...portedCarriers, 'none'], {
        title: '"10001", "10002", "10003" or "none"',
        description: 'SKT, KT, LGU+, or none: the message fails.',
      }),
      {
        description:
          'Codes of responses and reports for ported numbers, and the carrier whose route gets the message instead: { "6102": "10001" }. Default: 4302 to SKT and 4303 to LGU+ at KT, 6102 to KT at LGU+, which does not state the carrier.',
        default: {},
      },
    ),
  },
  { ...closed, description: 'Options of a link to an MMSC.' },
)
export type Mm7Options = Static<typeof Mm7Options>
