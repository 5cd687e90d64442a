/**
 * The options of a route to Kakao BizMessage: everything that differs between dealers or that no public source states. The
 * schema is the type, the validator and the documentation (docs/connectors/kakao.md).
 */
import { Type, type Static } from 'typebox'
import { causes } from '../../channels/cause.ts'
import { checkCertificates } from '../certificates.ts'
import {
  addressToken,
  closed,
  countryCode,
  integer,
  milliseconds,
  receiptGroup,
  referable,
  text,
  tls,
  url,
} from '../options.ts'

/** What a code can mean besides the cause of a failure. */
export const codeMeanings = ['accepted', 'throttled', 'unreachable', 'unknown', 'account'] as const
const failures = causes.filter((name) => name !== 'delivered')

const results = (description: string) =>
  Type.Enum(['realtime', 'push', 'polling'], { description, default: 'realtime' })

/** A name in JSON. */
const fieldName = (description: string, standard: string) =>
  Type.String({ description, pattern: '^[A-Za-z0-9_.-]{1,64}$', default: standard })

export const KakaoOptions = Type.Object(
  {
    url: Type.String({
      ...url('Address of the API for messages and results; `https://dev-bzm-api.kakao.com` for tests.'),
      default: 'https://bzm-api.kakao.com',
    }),
    uploadUrl: Type.String({
      ...url('Address of the API for images.'),
      default: 'https://bzm-upload-api.kakao.com',
    }),
    partnerKey: Type.String({
      description:
        'Hub partner key, assigned by Kakao: it is part of every address. Kakao also checks the source address.',
      pattern: '^[A-Za-z0-9._~-]{1,128}$',
      secret: true,
    }),
    results: Type.Object(
      {
        alimtalk: results('Of alimtalk.'),
        friendtalk: results('Of friendtalk.'),
        brandmessage: results('Of brand messages.'),
      },
      {
        ...closed,
        default: {},
        description:
          'How the results of each channel arrive. `realtime`: the answer is the result. `push`: Kakao calls `/inbound/<route>/<webhookToken>`. `polling`: one owner of the route asks for them by `channelKey`.',
      },
    ),
    channelKey: Type.Optional(
      Type.String({
        description:
          'Names the queue of results, assigned by Kakao; required with push and polling. Nothing else may poll it.',
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
    webhookToken: Type.Optional(
      addressToken('Last part of the address for results, `/inbound/<route>/<token>`; required with push.'),
    ),
    previousWebhookToken: Type.Optional(
      addressToken(
        'The token before its last change, accepted as well until Kakao pushes to the new address.',
      ),
    ),
    pushFields: Type.Object(
      {
        serial: fieldName('Serial number.', 'serial_number'),
        code: fieldName('Result code.', 'code'),
        at: fieldName('Time of the result.', 'received_at'),
      },
      {
        ...closed,
        default: {},
        description:
          'Names of the fields of a pushed result, which no public source states. Accepted are one result, a list of them, and the form of polled results.',
      },
    ),
    pushAnswer: text(
      'Body of the answer to pushed results, which is sent with HTTP 200.',
      256,
      '{"code":"0000"}',
    ),
    brandPath: Type.String({
      description: 'Where brand messages are posted, after `/v3/<partnerKey>/`. No public source states it.',
      pattern: '^[A-Za-z0-9_/-]{1,64}$',
      default: 'brandmessage/send',
    }),
    brandTargeting: Type.Enum(['M', 'N', 'I'], {
      description:
        '`targeting` of brand messages whose client gives none: free ones, which only friends get.',
      default: 'I',
    }),
    brandAdFlag: Type.Boolean({
      description:
        'Send `ad_flag` N with brand messages whose client gave adFlag N. The published material about brand messages does not name the field. Without it such a message is an advertisement to Kakao.',
      default: true,
    }),
    brandContentType: Type.Optional(
      text('`content_type` of brand messages with a template; left out by default.', 32),
    ),
    originCode: Type.Optional(
      Type.String({
        description: '`reseller_code` of brand messages whose client gives no originCID.',
        pattern: '^[0-9A-Za-z]{1,20}$',
      }),
    ),
    imageField: fieldName('Field of the answer to an upload that has the address of the image.', 'image'),
    imageReuseMs: milliseconds(
      'How long the address of an uploaded image is used. No public source says how long it is valid.',
      86_400_000,
    ),
    countryCode: countryCode('Country of domestic numbers.'),
    repeatable: Type.Boolean({
      description:
        'Kakao has confirmed that only an accepted message uses its serial number up: then a submission without an answer is repeated with it, and 3012 means that the first one was accepted.',
      default: false,
    }),
    codes: Type.Record(
      Type.String({ maxLength: 32 }),
      Type.Enum([...codeMeanings, ...failures], {
        title: `${codeMeanings.map((meaning) => `"${meaning}"`).join(', ')} or a cause`,
        description: 'A meaning, or the cause of a failure.',
      }),
      {
        description:
          'Meaning of each code that differs from the table in docs/connectors/kakao.md: { "3005": "accepted" }.',
        default: {},
      },
    ),
    window: integer('Maximum number of unanswered submissions, and of connections.', 100, 1, 1_000),
    connectTimeoutMs: milliseconds('Time limit for connecting.', 10_000),
    responseTimeoutMs: milliseconds('Time limit for an answer; after it the outcome is unknown.', 30_000),
    throttleRetryMs: milliseconds(
      'Pause of the route after Kakao throttles it without `Retry-After`.',
      1_000,
    ),
    loginPauseMs: milliseconds('Pause of the link after Kakao refused the partner key.', 60_000, 10),
    stopTimeoutMs: milliseconds('How long a stop waits for open submissions.', 10_000),
    receiptGroup: receiptGroup('those with the same host'),
    tls,
  },
  { ...closed, description: 'Options of a link to Kakao BizMessage.' },
)
export type KakaoOptions = Static<typeof KakaoOptions>
export type ResultMode = KakaoOptions['results']['alimtalk']

export function checkKakaoOptions(options: KakaoOptions): void {
  const { url: address, uploadUrl, results, channelKey, webhookToken } = options
  const modes = Object.values(results)
  const faults: readonly (readonly [isWrong: boolean, text: string])[] = [
    [!URL.canParse(address), 'url must be an address'],
    [!URL.canParse(uploadUrl), 'uploadUrl must be an address'],
    [
      channelKey === undefined && modes.some((mode) => mode !== 'realtime'),
      'channelKey is required with results by push or polling',
    ],
    [webhookToken === undefined && modes.includes('push'), 'webhookToken is required with results by push'],
  ]
  const fault = faults.find(([isWrong]) => isWrong)
  if (fault !== undefined) throw new Error(`kakao options: ${fault[1]}`)
  checkCertificates(options.tls ?? {}, 'kakao options: tls.')
}

export function kakaoLogin({ url: address, receiptGroup: group }: KakaoOptions): readonly string[] {
  return [group ?? new URL(address).host]
}
