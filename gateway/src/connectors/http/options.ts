/**
 * The options of a route over HTTP: a ready-made profile or one of one's own, the values of the account, and limits. The
 * schema is the type, the validator and the documentation (docs/connectors/http.md).
 */
import { Type, type Static } from 'typebox'
import {
  address,
  closed,
  countryCode,
  host,
  integer,
  milliseconds,
  receiptGroup,
  referable,
  tls,
} from '../options.ts'
import { senders } from '../senders.ts'
import { Answer, Auth, ReceiptMap, Send, Verify } from './profile.ts'
import { profileNames } from './profiles.ts'

const valueName = Type.String({ pattern: '^[a-z][A-Za-z0-9]{0,31}$' })

export const HttpOptions = Type.Object(
  {
    profile: Type.Optional(
      Type.String({
        description:
          'A ready-made profile. Without it, send and answer are required; with it they replace its parts.',
        maxLength: 32,
        examples: [...profileNames],
        ...address,
        reference: false,
      }),
    ),
    values: Type.Record(valueName, Type.String({ minLength: 1, maxLength: 2_048, ...referable }), {
      description: 'Values of the account, for placeholders: { "accountSid": "AC…" }.',
      default: {},
      maxProperties: 32,
      additionalProperties: Type.Never(),
      // They may be in the address.
      ...address,
    }),
    secrets: Type.Record(valueName, Type.String({ minLength: 1, maxLength: 4_096, secret: true }), {
      description: 'Secrets of the account, for placeholders. `postern route try` masks them.',
      default: {},
      maxProperties: 16,
      additionalProperties: Type.Never(),
    }),
    callbackUrl: Type.Optional(
      Type.String({
        description:
          'The public address of this route for receipts, https://<API>/inbound/<route>; {name} of a secret may be in it. It is the placeholder {callback}.',
        maxLength: 2_048,
        pattern: '^https?://\\S+$',
        ...host,
      }),
    ),
    countryCode: countryCode('Country code of numbers in domestic form, for the filters plus and digits.'),
    senders,
    auth: Type.Optional(Auth),
    send: Type.Optional(Send),
    answer: Type.Optional(Answer),
    receipt: Type.Optional(ReceiptMap),
    verify: Type.Optional(Verify),
    repeatable: Type.Boolean({
      description:
        'The carrier recognizes {reference} and delivers a repeated request once. A request without an answer is then repeated up to three times.',
      default: false,
    }),
    window: integer('Maximum number of open requests, each over its own connection.', 20, 1, 1_000),
    connectTimeoutMs: milliseconds('Time limit for connecting.', 5_000),
    responseTimeoutMs: milliseconds('Time limit for an answer; after it the outcome is unknown.', 30_000),
    throttleRetryMs: milliseconds('Pause after throttling without Retry-After.', 1_000),
    reconnectMs: milliseconds('Pause of the link after a connection failed.', 1_000),
    loginPauseMs: milliseconds(
      'Pause of the link after the carrier refused the account; one message then tries again.',
      60_000,
    ),
    stopTimeoutMs: milliseconds('How long a stop waits for open requests.', 10_000),
    maxAnswerBytes: integer('Longest answer that is read, in bytes.', 65_536, 1_024, 1_048_576),
    tls,
    receiptGroup: receiptGroup('those with the same address and values in it'),
  },
  { ...closed, description: 'Options of a link to a carrier over HTTP.' },
)
export type HttpOptions = Static<typeof HttpOptions>
