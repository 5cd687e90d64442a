/**
 * The language that describes an HTTP carrier: how a request is made, what an answer means, and how a receipt is read. An
 * operator writes it in the options of a route, and `profiles/*.json` hold it for public APIs. docs/http-profiles.md
 * explains it.
 */
import { Type, type Static } from 'typebox'
import { causes } from '../../channels/cause.ts'
import { address, causesByCode, closed, host, integer, referable } from '../options.ts'
import { pointerPattern } from './pointer.ts'

const template = (
  description: string,
  maxLength = 2_048,
  mark: { readonly secret?: boolean; readonly address?: boolean; readonly reference?: boolean } = {},
) => Type.String({ description, minLength: 1, maxLength, ...mark })
const pattern = (description: string) => Type.String({ description, maxLength: 200 })
const pointer = (description: string) => Type.String({ description, pattern: pointerPattern, maxLength: 256 })
const pointers = (description: string) =>
  Type.Array(pointer('A JSON Pointer.'), { description, minItems: 1, maxItems: 8 })
const conditions = (description: string) =>
  Type.Record(
    Type.String({ maxLength: 256 }),
    pattern('The value must match it as a whole; empty: there must be none.'),
    {
      description,
      maxProperties: 8,
    },
  )
const headerName = (description: string) =>
  Type.String({ description, pattern: "^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,64}$" })

export const Auth = Type.Object(
  {
    basic: Type.Optional(
      Type.Object(
        {
          user: template('User name.', 256, referable),
          password: template('Password, such as {authToken}.', 256, { secret: true }),
        },
        { ...closed, description: 'HTTP Basic authentication.' },
      ),
    ),
    header: Type.Optional(
      Type.Object(
        {
          name: headerName('Name of the header; not Host or another one of the connection.'),
          value: template('Its value, such as Bearer {apiToken}.', 4_096, { secret: true }),
        },
        { ...closed, description: 'A header with a key.' },
      ),
    ),
  },
  {
    ...{
      ...closed,
      description: 'How a request authenticates; leave it out when a field of the request does.',
    },
    // It chooses which secret is sent in which header.
    ...address,
  },
)

export const Send = Type.Object(
  {
    method: Type.Enum(['POST', 'GET', 'PUT'], { description: 'Method of the request.', default: 'POST' }),
    url: template(
      'Address; values of the account may be in it, nothing of a message, and no secret in its host.',
      2_048,
      host,
    ),
    encoding: Type.Enum(['json', 'form', 'query'], {
      description: 'How the fields are sent: as a JSON body, as a form, or in the query of the address.',
      default: 'json',
    }),
    headers: Type.Record(headerName('A header.'), template('Its value.', 1_024), {
      description:
        'More headers, but not Host or others of the connection. {reference} is allowed, nothing else of a message.',
      default: {},
      maxProperties: 16,
    }),
    fields: Type.Record(Type.String({ maxLength: 128 }), Type.Unknown(), {
      description:
        'The fields, with placeholders {to}, {from}, {text}, {reference}, {ttl}, {validUntil}, {originCid}, {advertisement}, {callback} and the names in values and secrets.',
      maxProperties: 64,
    }),
  },
  // As a whole: a secret in a field that is delivered, such as the text, would reach any phone.
  { ...closed, description: 'The request that sends a message.', ...address },
)

const ruleOutcomes = ['accepted', 'throttled', 'refused', 'unreachable', 'unknown', 'login'] as const

const Rule = Type.Object(
  {
    if: conditions('Conditions that all hold: `status` (of HTTP), `body` or a JSON Pointer, and a pattern.'),
    outcome: Type.Enum([...ruleOutcomes], {
      description:
        'What the answer means. throttled and unreachable: certainly not accepted. login: the account was refused (login, credit, suspension), not the message.',
    }),
    cause: Type.Optional(
      Type.Enum([...causes], {
        title: 'a cause',
        description: 'The cause of a refusal; default: by `errors`, else refused.',
      }),
    ),
    retryAfterMs: Type.Optional(
      Type.Integer({ description: 'Pause after throttling.', minimum: 0, maximum: 3_600_000 }),
    ),
  },
  closed,
)

export const Answer = Type.Object(
  {
    encoding: Type.Enum(['json', 'text'], { description: 'Format of the answer.', default: 'json' }),
    rules: Type.Array(Rule, {
      description:
        'The first rule that matches decides. Otherwise: 429 throttled, 401 and 402 login, 3xx unreachable, other 4xx refused, all else unknown.',
      minItems: 1,
      maxItems: 32,
    }),
    id: Type.Union(
      [
        Type.Literal('ours'),
        Type.Object(
          {
            pointer: pointer('Where the id of the carrier is.'),
            capture: Type.Optional(pattern('A pattern with one group, which is the id.')),
          },
          closed,
        ),
      ],
      { description: 'The id of an accepted message; "ours" where the carrier uses {reference} as its id.' },
    ),
    code: Type.Array(pointer('A JSON Pointer.'), {
      description: 'Where the error code is: the first that is not empty.',
      default: [],
      maxItems: 8,
    }),
    text: Type.Array(pointer('A JSON Pointer.'), {
      description: 'Where the error text is, for the log.',
      default: [],
      maxItems: 8,
    }),
    errors: causesByCode('Cause of a refusal for each code.'),
  },
  { ...closed, description: 'What an answer means.' },
)

export const receiptResults = ['delivered', 'failed', 'pending'] as const

export const ReceiptMap = Type.Object(
  {
    encoding: Type.Enum(['json', 'form'], {
      description:
        'Format of a callback; one with the content type application/json is always read as JSON. form also reads the query of the address, unless callbacks are signed: signatures do not cover it.',
      default: 'json',
    }),
    list: Type.Optional(
      pointer('Where the list of receipts is, if a callback has several; `body` if it is one.'),
    ),
    only: Type.Optional(conditions('A receipt is read only if these hold; anything else is acknowledged.')),
    id: pointers('Where the id of the carrier is: the first that is not empty.'),
    reference: Type.Optional(pointers('Where our own {reference} is returned.')),
    status: pointers('Where the status is: the first that is not empty.'),
    values: Type.Record(Type.String({ maxLength: 64 }), Type.Enum([...receiptResults]), {
      description: 'Result for each status, without regard to case. Any other status is pending.',
      minProperties: 1,
      maxProperties: 64,
    }),
    code: Type.Optional(pointers('Where the error code is.')),
    errors: causesByCode('Cause of a failure for each error code or status.'),
    recipient: Type.Optional(pointers('Where the number of the recipient is.')),
    at: Type.Optional(
      pointers('Where the time is: ISO 8601 with a zone, or seconds or milliseconds since 1970.'),
    ),
    ack: Type.Object(
      {
        status: integer('HTTP status.', 200, 200, 299),
        body: Type.String({ description: 'Body.', default: '', maxLength: 256 }),
      },
      { ...closed, description: 'The acknowledgement that the carrier expects.', default: {} },
    ),
  },
  { ...closed, description: 'How callbacks with receipts are read, at /inbound/<route>.' },
)

const key = Type.Optional(
  Type.String({
    description:
      'Name of the entry of `secrets` (or `values`) that holds the key. An entry with `previous` before its name, such as `previousCallbackToken`, is accepted as well: callbacks of messages that were sent before a change have it.',
    maxLength: 32,
  }),
)

export const Verify = Type.Object(
  {
    by: Type.Enum(['path', 'header', 'hmac', 'twilio', 'ed25519', 'none'], {
      description:
        'path: the last segment of the address is the secret. header: a header is. hmac: signature of the body. twilio: signature of address and form. ed25519: signature with a public key. none: anyone who knows the address can report results.',
    }),
    key,
    header: Type.Optional(headerName('Header with the secret or the signature.')),
    signed: Type.String({
      description: 'hmac, ed25519: the text that is signed: {body} and names of headers, such as {x-nonce}.',
      default: '{body}',
      maxLength: 256,
    }),
    algorithm: Type.Enum(['sha256', 'sha1', 'sha512'], { description: 'hmac: digest.', default: 'sha256' }),
    encoding: Type.Enum(['hex', 'base64'], { description: 'Of the signature.', default: 'hex' }),
    prefix: Type.String({
      description: 'What is before the signature in the header, such as sha256=.',
      default: '',
      maxLength: 32,
    }),
  },
  { ...closed, description: 'How a callback proves that it is of the carrier. Required with `receipt`.' },
)

export type Auth = Static<typeof Auth>
export type Send = Static<typeof Send>
export type Answer = Static<typeof Answer>
export type ReceiptMap = Static<typeof ReceiptMap>
export type Verify = Static<typeof Verify>
