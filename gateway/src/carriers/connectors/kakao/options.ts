/**
 * Options of a route to Kakao BizMessage: everything that differs between dealers or that no public source states. The
 * schema defines the type, the validation and the documentation (docs/reference/connectors/kakao.md).
 */
import { Type, type Static } from 'typebox'
import { causes } from '../../../channels/cause.ts'
import { checkCertificates } from '../http/certificates.ts'
import {
  closed,
  countryCode,
  integer,
  milliseconds,
  receiptGroup,
  referable,
  text,
  tls,
  url,
} from '../options/options.ts'
import { friendtalkOption } from '../friendtalk.ts'

/** Meanings of a code other than the cause of a failure. */
export const codeMeanings = ['accepted', 'throttled', 'unreachable', 'unknown', 'account'] as const
const failures = causes.filter((name) => name !== 'delivered')

const responseMethod = (description: string) =>
  Type.Enum(['realtime', 'push', 'polling'], { description, default: 'realtime' })

export const KakaoOptions = Type.Object(
  {
    url: Type.String({
      ...url('Base URL of the API for messages and results. For tests: `https://dev-bzm-api.kakao.com`.'),
      default: 'https://bzm-api.kakao.com',
    }),
    uploadUrl: Type.String({
      ...url('Base URL of the API for images.'),
      default: 'https://bzm-upload-api.kakao.com',
    }),
    partnerKey: Type.String({
      description:
        'Hub partner key, assigned by Kakao and part of every URL. Kakao also checks the source IP address.',
      pattern: '^[A-Za-z0-9._~-]{1,128}$',
      secret: true,
    }),
    results: Type.Object(
      {
        AT: responseMethod('`response_method` of text alimtalk.'),
        AI: responseMethod('`response_method` of image alimtalk.'),
      },
      {
        ...closed,
        default: {},
        description:
          'Response method of alimtalk by message type. `realtime` and `push`: the response is the result. `polling`: one owner of the route polls results with `channelKey`.',
      },
    ),
    channelKey: Type.Optional(
      Type.String({
        description:
          'Name of the result queue, assigned by Kakao. Required with `polling`, sent with `push` if set. No other program must poll it.',
        pattern: '^[\\x21-\\x7E]{1,128}$',
        ...referable,
      }),
    ),
    pollTimeoutSeconds: integer(
      '`timeout` of a submission with `polling`, as dealers send it.',
      600,
      1,
      86_400,
    ),
    pollIntervalMs: milliseconds('Pause after a request for results that returned none.', 1_000, 10),
    friendtalk: friendtalkOption,
    brandPath: Type.Optional(
      Type.String({
        description:
          'Path of brand messages after `/v3/<partnerKey>/`. Kakao assigns it to its dealers, and no public source states it. If unset, brand messages are refused.',
        pattern: '^[A-Za-z0-9_/-]{1,64}$',
      }),
    ),
    brandTargeting: Type.Enum(['M', 'N', 'I'], {
      description:
        '`targeting` of brand messages whose client sets none: free ones, which only friends receive.',
      default: 'I',
    }),
    brandAdFlag: Type.Boolean({
      description:
        'Send `ad_flag` N with brand messages whose client sets adFlag N. The published material about brand messages does not mention the field. Without it, Kakao treats the message as an advertisement.',
      default: true,
    }),
    brandContentType: Type.Optional(
      text('`content_type` of brand messages with a template. Omitted by default.', 32),
    ),
    originCode: Type.Optional(
      Type.String({
        description: '`reseller_code` of brand messages whose client sets no originCID.',
        pattern: '^[0-9A-Za-z]{1,20}$',
      }),
    ),
    imageField: Type.String({
      description: 'Field of the upload response with the URL of the image.',
      pattern: '^[A-Za-z0-9_.-]{1,64}$',
      default: 'image',
    }),
    imageReuseMs: milliseconds(
      'How long the URL of an uploaded image is reused. No public source states how long it is valid.',
      86_400_000,
    ),
    countryCode: countryCode('Country of domestic numbers.'),
    repeatable: Type.Boolean({
      description:
        'Set if Kakao has confirmed that only an accepted message uses up its serial number. A submission without a response is then repeated with the same number, and 3012 means that the first one was accepted.',
      default: false,
    }),
    codes: Type.Record(
      Type.String({ maxLength: 32 }),
      Type.Enum([...codeMeanings, ...failures], {
        title: `${codeMeanings.map((meaning) => `"${meaning}"`).join(', ')} or a cause`,
        description: 'A meaning, or the cause of a failure.',
      }),
      {
        description: 'Meaning of each code that differs from the table below: { "3005": "accepted" }.',
        default: {},
      },
    ),
    window: integer('Maximum number of open submissions, and of connections.', 100, 1, 1_000),
    connectTimeoutMs: milliseconds('Time limit for connecting.', 10_000),
    responseTimeoutMs: milliseconds('Time limit for a response. Then the outcome is unknown.', 30_000),
    throttleRetryMs: milliseconds(
      'Pause of the route after Kakao throttles it without `Retry-After`.',
      1_000,
    ),
    loginPauseMs: milliseconds('Pause of the link after Kakao refused the partner key.', 60_000, 10),
    stopTimeoutMs: milliseconds('Maximum time that a stop waits for open submissions.', 10_000),
    receiptGroup: receiptGroup('routes with the same host'),
    tls,
  },
  { ...closed, description: 'Options of a link to Kakao BizMessage.' },
)
export type KakaoOptions = Static<typeof KakaoOptions>
export type ResponseMethod = KakaoOptions['results']['AT']

export function checkKakaoOptions(options: KakaoOptions): void {
  const { url: baseUrl, uploadUrl, results, channelKey, friendtalk, brandPath } = options
  const faults: readonly (readonly [isWrong: boolean, text: string])[] = [
    [!URL.canParse(baseUrl), 'url must be a valid URL'],
    [!URL.canParse(uploadUrl), 'uploadUrl must be a valid URL'],
    [
      channelKey === undefined && Object.values(results).includes('polling'),
      'channelKey is required with polling',
    ],
    [friendtalk === 'convert' && brandPath === undefined, 'brandPath is required to convert friendtalk'],
  ]
  const fault = faults.find(([isWrong]) => isWrong)
  if (fault !== undefined) throw new Error(`kakao options: ${fault[1]}`)
  checkCertificates(options.tls ?? {}, 'kakao options: tls.')
}

export function kakaoLogin({ url: baseUrl, receiptGroup: group }: KakaoOptions): readonly string[] {
  return [group ?? new URL(baseUrl).host]
}
