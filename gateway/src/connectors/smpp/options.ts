/**
 * Everything that differs between one SMPP carrier and the next. The schema is the type, the validator and
 * the source of the documentation; a setting without a description does not exist.
 */
import { createSecureContext } from 'node:tls'
import type { Static } from 'typebox'
import { Type } from 'typebox'
import { Value } from 'typebox/value'
import { causes } from '../../channels/cause.ts'
import { stats } from './state.ts'

const closed = { additionalProperties: false }

const integer = (description: string, standard: number, minimum: number, maximum: number) =>
  Type.Integer({ description, default: standard, minimum, maximum })

const milliseconds = (description: string, standard: number, minimum = 1) =>
  integer(description, standard, minimum, 86_400_000)

// What a C-octet string can carry without surprises.
const ascii = (description: string, maxLength: number, standard?: string) =>
  Type.String({
    description,
    maxLength,
    pattern: '^[\\x20-\\x7E]*$',
    ...(standard === undefined ? { minLength: 1 } : { default: standard }),
  })

const cause = Type.Enum([...causes], { description: 'The cause in our own words.', default: 'refused' })

const addressKind = (what: string, ton: number, npi: number) =>
  Type.Object(
    {
      ton: integer(
        `Type of number of ${what}: 0 unknown, 1 international, 2 national, 3 network.`,
        ton,
        0,
        255,
      ),
      npi: integer(`Numbering plan of ${what}: 0 unknown, 1 ISDN (E.164).`, npi, 0, 255),
    },
    { ...closed, description: `How ${what} is announced.`, default: {} },
  )

const coding = (what: string, standard: number) => integer(`data_coding of ${what}.`, standard, 0, 255)

const pem = (what: string) => Type.Optional(Type.String({ description: `${what}, PEM.`, minLength: 1 }))

const tls = Type.Object(
  {
    serverName: Type.Optional(
      Type.String({ description: 'Name the certificate must carry; the host when absent.', minLength: 1 }),
    ),
    ca: pem('Certificate authority to trust instead of the well-known ones'),
    cert: pem('Our certificate, for carriers that ask for one'),
    key: pem("Our certificate's private key"),
    verify: Type.Boolean({
      description: "Refuse a carrier whose certificate does not check out. Off only for a laboratory's sake.",
      default: true,
    }),
  },
  { ...closed, description: 'Present: the connection is TLS from the first octet. Absent: plain TCP.' },
)

const statusRule = Type.Object(
  {
    outcome: Type.Enum(['throttled', 'unreachable', 'refused'], {
      description: 'unreachable: temporary, surely not taken. refused: final for this attempt.',
      default: 'refused',
    }),
    cause,
  },
  // Without a default of its own, TypeBox would not fill in those of its fields.
  { ...closed, default: {} },
)

export const SmppOptions = Type.Object(
  {
    host: Type.String({ description: "The carrier's host name or address.", minLength: 1 }),
    port: integer("The carrier's port; 2775 is usual, 3550 with TLS.", 2775, 1, 65535),
    tls: Type.Optional(tls),
    systemId: ascii('Our name at the carrier.', 15),
    password: ascii(
      'Our password. The specification allows 8 characters; some carriers give longer ones.',
      64,
      '',
    ),
    systemType: ascii('system_type of the bind; empty unless the carrier asks for one.', 12, ''),
    addressRange: ascii('address_range of the bind; empty unless the carrier asks for one.', 40, ''),
    bind: Type.Enum(['transceiver', 'pair'], {
      description: 'One session for both directions, or a transmitter and a receiver beside each other.',
      default: 'transceiver',
    }),
    sessions: integer('Sessions (or pairs) held at the same time.', 1, 1, 64),
    window: integer('Unanswered submissions that the carrier allows on one session.', 10, 1, 10_000),
    serviceType: ascii('service_type of every submission.', 5, ''),
    source: addressKind('a sender of digits', 2, 1),
    destination: addressKind('a recipient in domestic form', 2, 1),
    dataCoding: Type.Object(
      {
        gsm7: coding('text in the GSM 7-bit alphabet', 0),
        ucs2: coding('text in UCS-2', 8),
        cp949: coding('Korean text in EUC-KR (CP949)', 14),
      },
      { ...closed, description: 'What data_coding announces each alphabet.', default: {} },
    ),
    registeredDelivery: integer(
      'registered_delivery: 1 asks for a final receipt, 17 for notices too.',
      1,
      0,
      31,
    ),
    maxValiditySeconds: integer(
      'Longest validity_period the carrier accepts. A message valid longer is sent without one; 0 never sends one.',
      259_200,
      0,
      2_592_000,
    ),
    connectTimeoutMs: milliseconds('How long opening the connection may take.', 10_000),
    bindTimeoutMs: milliseconds('How long the carrier may take to answer a bind.', 30_000),
    responseTimeoutMs: milliseconds(
      'After this long without an answer the outcome of a submission is unknown.',
      60_000,
    ),
    enquireIntervalMs: milliseconds('How often to ask whether the carrier is still there.', 30_000),
    enquireTimeoutMs: milliseconds('After this long without an answer the session is closed.', 10_000),
    throttleRetryMs: milliseconds('How long to hold back after the carrier says that it is too fast.', 1000),
    reconnectMinMs: milliseconds('First pause before connecting again; it doubles with every failure.', 500),
    reconnectMaxMs: milliseconds('Longest pause before connecting again.', 30_000),
    authenticationPauseMs: milliseconds(
      'Pause after the carrier refused our name or password: hammering gets accounts locked.',
      300_000,
    ),
    stopTimeoutMs: milliseconds('How long stopping waits for open submissions and receipts.', 10_000),
    maxPduBytes: integer('Longest PDU taken from the carrier.', 16_384, 256, 1_048_576),
    receiptsInHand: integer(
      'Receipts of one session that may wait to be stored; then it stops reading.',
      1000,
      1,
      100_000,
    ),
    receiptStallMs: milliseconds(
      'How long it stops reading at most, before it asks the carrier to deliver again later.',
      5000,
    ),
    receiptUtcOffsetMinutes: integer(
      "Offset from UTC of the times in this carrier's receipts.",
      540,
      -840,
      840,
    ),
    errors: Type.Record(Type.String(), cause, {
      description: 'Meaning of a receipt\'s `err`, as the carrier spells it: { "001": "no-subscriber" }.',
      default: {},
    }),
    states: Type.Record(Type.String(), Type.Enum([...stats]), {
      description:
        'Meaning of a receipt\'s `stat` that is spelt in this carrier\'s own way: { "SUCCESS": "DELIVRD" }.',
      default: {},
    }),
    commandStatuses: Type.Record(Type.String({ pattern: '^0x[0-9A-Fa-f]{1,8}$' }), statusRule, {
      description:
        'Meaning of a command_status in answer to a submission, where ours does not fit: { "0x0045": … }.',
      default: {},
      // `false` would say the same, but TypeBox 1.4 cannot fill in defaults beside it.
      additionalProperties: Type.Never(),
    }),
  },
  { ...closed, description: 'A connection to a carrier by SMPP 3.4.' },
)

export type SmppOptions = Static<typeof SmppOptions>

/** Fills in the defaults and returns the options, or throws an Error that names the wrong field. */
export function parseSmppOptions(input: unknown): SmppOptions {
  const options = Value.Default(SmppOptions, structuredClone(input))
  if (!Value.Check(SmppOptions, options)) {
    const [error] = Value.Errors(SmppOptions, options)
    const path = (error?.instancePath ?? '').slice(1).replaceAll('/', '.')
    // The message says what was expected, never what was found: it may be a password.
    throw new Error(`SMPP options: ${path === '' ? 'the object' : path} ${error?.message ?? 'is wrong'}`)
  }
  if (options.tls !== undefined) checkCertificates(options.tls)
  return options
}

// Otherwise a bad certificate would only show when the link is opened, and then again at every try.
function checkCertificates({ ca, cert, key }: Static<typeof tls>): void {
  for (const [field, pems] of Object.entries({ ca: { ca }, cert: { cert }, key: { cert, key } })) {
    try {
      createSecureContext(pems)
    } catch (cause) {
      throw new Error(`SMPP options: tls.${field} is not usable`, { cause })
    }
  }
}
