/**
 * Meanings of RCS result codes: those of the carriers (4xxxx, 5xxxx) and of the KT relay (7xxxx), in submission responses
 * and in statuses; a service with this API reports them as well. Numbers and names follow the code lists in rcs-pydantic
 * 2.0.0, which repeats the carriers' documents; the carriers' notes on repeats define which codes leave the outcome open.
 * Options override single codes.
 */
import { causes, type Cause } from '../../channels/cause.ts'

/** Meanings that are not the cause of a refusal. */
export const specialMeanings = [
  /** Already accepted under the same id. */
  'duplicate',
  /** Too many requests; not accepted. */
  'throttled',
  /** The token is no longer accepted; a new one is requested. */
  'token',
  /** The login is refused, independent of the message. */
  'account',
  /** The agency key is refused. It is the operator's, unless the client provided one. */
  'agency-key',
  /** Not accepted, for a reason other than the message. */
  'unreachable',
  /** Possibly delivered. */
  'uncertain',
  /** A server error. In a response it leaves the outcome open; in a status the message has failed. */
  'system-error',
  /** The number belongs to another carrier. */
  'not-subscriber',
] as const
export type SpecialMeaning = (typeof specialMeanings)[number]
export type FailureCause = Exclude<Cause, 'delivered'>
export type RcsMeaning = SpecialMeaning | FailureCause

export const failureCauses = causes.filter((name): name is FailureCause => name !== 'delivered')

/** `reportCode` is more specific than the cause. */
type Row = readonly [first: number, last: number, meaning: RcsMeaning, text: string, reportCode?: string]

export const codeRows: readonly Row[] = [
  [40001, 40007, 'unreachable', 'token between the carrier’s systems'],
  [41000, 41001, 'system-error', 'internal error, time-out'],
  [41002, 41002, 'uncertain', 'not revoked'],
  [41003, 41003, 'throttled', 'message rate'],
  [41004, 41006, 'unreachable', 'busy, unavailable, no session'],
  [41007, 41008, 'timeout', 'expired before or during the session'],
  [41009, 41011, 'uncertain', 'revocation not supported, delivered although revoked, revoked before'],
  [41100, 41106, 'unreachable', 'no connection to the RCS server'],
  [41107, 41107, 'uncertain', 'time-out while sending to the RCS server'],
  [41108, 41109, 'unreachable', 'error of the RCS server'],
  [41110, 41110, 'unsupported', 'no RCS user'],
  [41117, 41117, 'uncertain', 'revocation failed'],
  [41200, 41250, 'unsupported', 'the handset cannot receive it'],
  [41300, 41300, 'attachment', 'file not available'],
  [42001, 42003, 'refused', 'malformed message'],
  [42004, 42005, 'bad-number', 'recipient'],
  [42006, 42099, 'refused', 'malformed message'],
  [42100, 42107, 'attachment', 'media'],
  [42108, 42399, 'refused', 'malformed message'],
  [42401, 42402, 'attachment', 'file type, file not available'],
  [42501, 42513, 'refused', 'malformed message'],
  [42514, 42514, 'duplicate', 'message id used before'],
  [42601, 42601, 'throttled', 'too many requests'],

  [50001, 50005, 'token', 'token missing, wrong, expired'],
  [50006, 50009, 'account', 'unknown client, wrong secret, address not allowed'],
  [50100, 50100, 'unreachable', 'the carrier takes no messages now'],
  [50201, 50201, 'throttled', 'message rate'],
  [50202, 50202, 'unreachable', 'quota used up'],
  [51003, 51003, 'duplicate', 'key used before'],
  [51004, 51008, 'refused', 'malformed request'],
  [51101, 51102, 'agency-key', 'agency key missing, wrong'],
  [51103, 51104, 'unregistered-sender', 'brand key missing, wrong', '33200'],
  [52001, 52001, 'bad-number', 'form of the number'],
  [52002, 52010, 'refused', 'chatbot'],
  [52016, 52016, 'unreachable', 'not passed on within 10 s'],
  [52023, 52023, 'refused', 'messagebase is paused', '33121'],
  [53001, 53006, 'attachment', 'file'],
  [54001, 54001, 'not-subscriber', 'not a subscriber of this carrier'],
  [54002, 54002, 'unsupported', 'no RCS'],
  [54003, 54003, 'phone-off', 'handset not reached'],
  [54004, 54004, 'uncertain', 'internal error'],
  [55001, 55002, 'refused', 'company, parameter'],
  [55101, 55104, 'unregistered-sender', 'agency not registered, no right'],
  [55201, 55210, 'unregistered-sender', 'brand', '33200'],
  [55301, 55303, 'unregistered-sender', 'chatbot'],
  [55501, 55603, 'refused', 'messagebase', '33121'],
  // Report codes for header and footer are 33102 to 33107, without an official assignment.
  [55701, 55701, 'refused', 'mark of an advertisement in the text', '33102'],
  [55702, 55702, 'refused', 'buttons not allowed', '33111'],
  [55703, 55703, 'refused', 'header', '33104'],
  [55704, 55704, 'refused', 'footer without an advertisement', '33105'],
  [55705, 55705, 'refused', 'footer missing', '33106'],
  [55706, 55706, 'refused', 'form of the footer', '33107'],
  [55707, 55707, 'refused', 'pattern of the messagebase'],
  [55708, 55708, 'refused', 'length of the title', '33109'],
  [55709, 55709, 'refused', 'length of the text', '33110'],
  [55710, 55710, 'refused', 'number of buttons', '33111'],
  [55711, 55711, 'refused', 'number of cards'],
  [55712, 55712, 'attachment', 'size of media'],
  [55713, 55715, 'refused', 'reply id'],
  [55801, 55805, 'refused', 'malformed message'],
  [55806, 55806, 'duplicate', 'message id used before'],
  [55807, 55809, 'unregistered-sender', 'right to the chatbot, state of the chatbot'],
  [55810, 55814, 'refused', 'expiry option, parameters, buttons'],
  [55815, 55815, 'attachment', 'file does not exist'],
  [55816, 55816, 'refused', 'no suggestions'],
  [55817, 55817, 'bad-number', 'recipient'],
  [55818, 55818, 'refused', 'messagebase does not exist', '33121'],
  [55819, 55819, 'unregistered-sender', 'chatbot does not exist'],
  [55820, 55821, 'uncertain', 'revoked; not certain whether delivered'],
  [55822, 55822, 'failed', 'cancelled'],
  [55823, 55900, 'refused', 'chips, replies, session; malformed message'],
  [56002, 56002, 'uncertain', 'not revoked'],
  [56007, 56007, 'timeout', 'expired before the session'],
  [59001, 59003, 'system-error', 'system, backend'],

  [70001, 70005, 'token', 'token missing, wrong, expired'],
  [70006, 70009, 'account', 'unknown RCS id, wrong secret, address not allowed'],
  [71001, 71002, 'system-error', 'system'],
  [71003, 71003, 'duplicate', 'message id used before'],
  [71004, 71006, 'refused', 'malformed request'],
  [71007, 71007, 'unreachable', 'no such call'],
  [71008, 71009, 'refused', 'malformed request'],
  [71010, 71011, 'system-error', 'carrier or KISA not reached'],
  [72100, 72100, 'unreachable', 'the relay takes no messages now'],
  [72101, 72103, 'refused', 'common, legacy or RCS part'],
  [72104, 72104, 'throttled', 'message rate'],
  [72105, 72105, 'unreachable', 'quota used up'],
  [72106, 72107, 'attachment', 'file'],
  [72108, 72111, 'refused', 'malformed message'],
  [72112, 72116, 'attachment', 'file'],
  [72117, 72121, 'refused', 'malformed message'],
  [72122, 72122, 'unregistered-sender', 'right to the chatbot'],
  [72123, 72127, 'refused', 'service type, expiry option, header, footer'],
  [72128, 72132, 'unreachable', 'quota of a product used up'],
  [72133, 73002, 'refused', 'chips, chat, product not subscribed'],
  [74001, 74006, 'spam', 'spam, limits of equal messages'],
  [74007, 74009, 'unregistered-sender', 'sender blocked or not registered'],
  [75001, 75002, 'no-subscriber', 'ported, no subscriber'],
  [75003, 75003, 'unreachable', 'lookup of ported numbers'],
  [75004, 75004, 'no-subscriber', 'ended, suspended'],
  [75005, 75005, 'bad-number', 'recipient'],
  [75006, 75006, 'unregistered-sender', 'sender'],
  [75007, 75007, 'unsupported', 'no RCS'],
  [75008, 75008, 'bad-number', 'recipient'],
  [76001, 76002, 'system-error', 'relay'],
  [76003, 76003, 'unsupported', 'no RCS subscription'],
  [76004, 76005, 'system-error', 'relay'],
  [77001, 77001, 'timeout', 'no result in time'],
  [78001, 78001, 'unsupported', 'handset'],
  [78002, 78003, 'temporary-failure', 'busy, no response'],
  [78004, 78004, 'phone-off', 'switched off'],
  [78005, 78005, 'shadow-area', 'no coverage'],
  [78006, 78006, 'buffer-full', 'memory full'],
  [78007, 78009, 'refused', 'call forwarding, subscriber'],
  [78010, 78010, 'unsupported', 'handset'],
  [79001, 79001, 'temporary-failure', 'tried too often'],
  [79002, 79002, 'throttled', 'too many connections'],
  [79003, 79003, 'account', 'another RCS id'],
  [79005, 79005, 'throttled', 'too many queries'],
  [79994, 79996, 'unreachable', 'KT, SKT, LGU+ unavailable'],
  [79997, 79997, 'timeout', 'expired'],
  [79998, 79998, 'uncertain', 'not certain whether delivered'],
  [79999, 79999, 'system-error', 'unknown error'],
]

const byCode = new Map<string, Row>()
for (const row of codeRows) for (let code = row[0]; code <= row[1]; code++) byCode.set(String(code), row)

export type CodeOverrides = Readonly<Record<string, RcsMeaning>>

/** Returns undefined for an unknown code. */
export function findRcsMeaning(code: string, overrides: CodeOverrides): RcsMeaning | undefined {
  return Object.hasOwn(overrides, code) ? overrides[code] : byCode.get(code)?.[2]
}

/** Returns the report code that is more specific than the meaning of a code, if there is one. */
export function getReportDetail(code: string): { readonly reportCode?: string } {
  const reportCode = byCode.get(code)?.[4]
  return reportCode === undefined ? {} : { reportCode }
}

/** Returns the cause of a failure that a status reports. `outcome-unknown`: the message can have been delivered. */
export function toFailureCause(meaning: RcsMeaning): FailureCause {
  switch (meaning) {
    case 'uncertain':
    case 'duplicate':
      return 'outcome-unknown'
    case 'throttled':
    case 'token':
    case 'account':
    case 'unreachable':
    case 'system-error':
      return 'temporary-failure'
    case 'agency-key':
      return 'unregistered-sender'
    case 'not-subscriber':
      return 'no-subscriber'
    default:
      return meaning
  }
}
