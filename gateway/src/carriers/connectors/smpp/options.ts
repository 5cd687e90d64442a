/**
 * Options of an SMPP route: everything that differs between carriers. The schema defines the type, the validation and the
 * documentation (docs/reference/connectors/smpp.md).
 */
import type { Static } from 'typebox'
import { Type } from 'typebox'
import { checkCertificates } from '../http/certificates.ts'
import type { SubmissionUnit } from '../options/kind.ts'
import {
  address,
  cause,
  causesByCode,
  closed,
  countryCode,
  host,
  integer,
  milliseconds,
  pem,
  receiptGroup,
  referable,
} from '../options/options.ts'
import { senders } from '../senders.ts'
import {
  addressType,
  addressRules,
  dataCoding,
  defaultAlphabet,
  longMessages,
  parameters,
} from './field-options.ts'
import { stats } from './message-state.ts'

// Printable ASCII, which every carrier accepts in a C-octet string.
const ascii = (description: string, maxLength: number, standard?: string) =>
  Type.String({
    description,
    maxLength,
    pattern: '^[\\x20-\\x7E]*$',
    ...(standard === undefined ? { minLength: 1 } : { default: standard }),
  })

const tls = Type.Object(
  {
    serverName: Type.Optional(
      Type.String({
        description: 'Host name expected in the certificate. Default: the host.',
        minLength: 1,
        ...address,
      }),
    ),
    ca: pem('Certificate authority to trust instead of the default ones', address),
    cert: pem('Client certificate, for carriers that require one'),
    key: pem('Private key of the client certificate', { secret: true }),
    verify: Type.Boolean({
      description: 'Refuse a carrier with an invalid certificate. Disable only in test environments.',
      default: true,
      ...address,
    }),
  },
  { ...closed, description: 'Connects with TLS if set, otherwise with plain TCP.' },
)

const statusRule = Type.Object(
  {
    outcome: Type.Enum(['throttled', 'unreachable', 'refused'], {
      description:
        'throttled: the route slows down. unreachable: temporary, certainly not accepted. refused: final for this attempt.',
      default: 'refused',
    }),
    cause,
    pauseMs: Type.Optional(
      Type.Integer({
        description: 'Pause of the route after throttled. Default: throttleRetryMs.',
        minimum: 1,
        maximum: 3_600_000,
      }),
    ),
  },
  // TypeBox fills in the defaults of the fields only if the object has a default.
  { ...closed, default: {} },
)

export const SmppOptions = Type.Object(
  {
    host: Type.String({ description: 'Host name or IP address of the carrier.', minLength: 1, ...host }),
    port: Type.Integer({
      ...integer('Port of the carrier; usually 2775, or 3550 with TLS.', 2775, 1, 65535),
      ...address,
    }),
    tls: Type.Optional(tls),
    systemId: Type.String({ ...ascii('system_id of the bind, assigned by the carrier.', 15), ...referable }),
    password: Type.String({
      ...ascii(
        'Password of the bind. The specification allows 8 characters; some carriers assign longer ones.',
        64,
        '',
      ),
      secret: true,
    }),
    interfaceVersion: Type.Enum(['3.4', '5.0'], {
      description:
        'interface_version of the bind. Use 5.0 only if the carrier requires it; a text can then have one more octet.',
      default: '3.4',
    }),
    systemType: Type.String({
      ...ascii('system_type of the bind; empty unless the carrier requires one.', 12, ''),
      ...referable,
    }),
    addressRange: ascii('address_range of the bind; empty unless the carrier requires one.', 40, ''),
    bindAddress: addressType('the address range of the bind', 0, 0),
    bind: Type.Enum(['transceiver', 'pair'], {
      description:
        'transceiver: one session for both directions. pair: a transmitter session and a receiver session.',
      default: 'transceiver',
    }),
    sessions: integer('Number of sessions (or pairs of sessions).', 1, 1, 64),
    window: integer(
      'Maximum number of open submissions per session, as agreed with the carrier.',
      10,
      1,
      10_000,
    ),
    serviceType: ascii('service_type of every submission.', 5, ''),
    senders,
    source: addressType('a sender in domestic form', 2, 1),
    destination: addressType('a recipient in domestic form', 2, 1),
    addressRules,
    countryCode: countryCode(
      'Country code of numbers in domestic form, for rules that convert their format.',
    ),
    dataCoding,
    defaultAlphabet,
    longMessages,
    esmClass: integer(
      'Messaging mode in esm_class of every submission: 0 default of the carrier, 3 store and forward.',
      0,
      0,
      3,
    ),
    parameters,
    registeredDelivery: integer(
      'registered_delivery: 1 requests a final receipt, 17 also intermediate notices.',
      1,
      0,
      31,
    ),
    maxValiditySeconds: integer(
      'Longest validity_period in seconds that the carrier accepts. A message with a longer validity is sent without one. 0: never send one.',
      259_200,
      0,
      2_592_000,
    ),
    connectTimeoutMs: milliseconds('Time limit for connecting.', 10_000),
    bindTimeoutMs: milliseconds('Time limit for the bind response.', 30_000),
    responseTimeoutMs: milliseconds(
      'Time limit for the response to a submission. Then the outcome is unknown.',
      60_000,
    ),
    enquireIntervalMs: milliseconds('Interval between enquire_link requests.', 30_000),
    enquireTimeoutMs: milliseconds(
      'Time limit for the enquire_link response. Then the session is closed.',
      10_000,
    ),
    congestionLimit: integer(
      'congestion_state of a response (SMPP 5.0, 0 to 100) at which the route slows down as if it were throttled. 101: never.',
      90,
      1,
      101,
    ),
    throttleRetryMs: milliseconds('Pause of the route after the carrier throttles it.', 1000),
    reconnectMinMs: milliseconds('First pause before reconnecting. It doubles with every failure.', 500),
    reconnectMaxMs: milliseconds('Longest pause before reconnecting.', 30_000),
    loginPauseMs: milliseconds(
      'Pause after the carrier refused the system id or password. The default is long, because carriers lock accounts after repeated failures.',
      300_000,
    ),
    stopTimeoutMs: milliseconds('Maximum time that a stop waits for open submissions and receipts.', 10_000),
    maxPduBytes: integer('Longest PDU accepted from the carrier, in bytes.', 16_384, 256, 1_048_576),
    maxPendingReceipts: integer(
      'Maximum number of receipts per session that wait to be stored. At the limit, the session stops reading.',
      1000,
      1,
      100_000,
    ),
    receiptStallMs: milliseconds(
      'Longest pause in reading. Then the carrier is asked to deliver receipts again later.',
      5000,
    ),
    receiptUtcOffsetMinutes: integer(
      'UTC offset in minutes of times in receipts of the carrier.',
      540,
      -840,
      840,
    ),
    lookup: Type.Boolean({
      description:
        'Query missing results at the carrier (query_sm), and cancel messages shortly before their deadline (cancel_sm). Off by default: many carriers refuse these commands, and some count them against the agreed rate.',
      default: false,
    }),
    receiptGroup: receiptGroup('routes with the same host and systemId'),
    originCidTag: Type.Optional(
      Type.Integer({
        description:
          'Tag of the optional parameter (TLV) for the registration number, in digits, of the operator that first accepted a message. Assigned by the carrier, usually from 0x1400 (5120). If unset, the number is not sent.',
        minimum: 1,
        maximum: 65_535,
      }),
    ),
    errors: causesByCode(
      'Cause for each `err` value of a receipt, spelled as by the carrier: { "001": "no-subscriber" }.',
    ),
    states: Type.Record(Type.String(), Type.Enum([...stats]), {
      description: 'State for each carrier-specific `stat` value of a receipt: { "SUCCESS": "DELIVRD" }.',
      default: {},
    }),
    commandStatuses: Type.Record(Type.String({ pattern: '^0x[0-9A-Fa-f]{1,8}$' }), statusRule, {
      description:
        'Outcome for each command_status of a submission response whose meaning differs from the standard: { "0x0045": … }.',
      default: {},
      // `false` would be equivalent, but TypeBox 1.4 does not fill in defaults with it.
      additionalProperties: Type.Never(),
    }),
  },
  { ...closed, description: 'Options of an SMPP connection to a carrier.' },
)

export type SmppOptions = Static<typeof SmppOptions>

/** The port is not part of the login, because many carriers use pairs of ports. */
export function smppLogin({ host: hostName, systemId, receiptGroup: group }: SmppOptions): readonly string[] {
  return group === undefined ? [hostName.toLowerCase(), systemId] : [group]
}

export function checkSmppOptions({ tls: given }: SmppOptions): void {
  if (given !== undefined) checkCertificates(given, 'smpp options: tls.')
}

/** Only a carrier that splits long texts itself accepts whole messages. */
export function smppSubmissionUnit({ longMessages: form }: SmppOptions): SubmissionUnit {
  return form === 'payload' ? 'message' : form === 'udh16' ? 'wide-parts' : 'parts'
}
