/** Behaviours selected by the last four digits of the recipient; send.ts carries them out. */
import { chooseByEnding } from '../shared/endings.ts'
import type { EndingRow } from '../shared/endings.ts'
import type { MaapCodePair } from './codes.ts'
import type { ReplyKind } from './replies.ts'
import type { Mno } from './settings.ts'

export interface Behaviour extends EndingRow {
  /** Refuses the first `tries` attempts with the same content. */
  readonly refuse?: { readonly code: MaapCodePair; readonly tries: number }
  readonly answer:
    | 'at once'
    | 'slowly'
    | 'never'
    | 'by disconnecting'
    | 'after its status'
    | 'HTTP 500'
    | 'broken JSON'
  /** If false, the message is discarded without a response. */
  readonly accepts: boolean
  readonly statuses: readonly ('success' | MaapCodePair)[]
  readonly replies: readonly ReplyKind[]
  readonly late: boolean
  /** The only carrier with this subscriber. */
  readonly home?: Mno
  /** If true, the relay's fallback by SMS, LMS or MMS fails as well. */
  readonly legacyFails: boolean
  /** If true, the response contains a `reason`. */
  readonly warns: boolean
}

type Change = Partial<Omit<Behaviour, 'ending' | 'summary'>>

const base = { answer: 'at once', accepts: true, statuses: ['success'], replies: [], late: false } as const

function row(ending: string, summary: string, change: Change = {}): Behaviour {
  return { ending, summary, ...base, legacyFails: false, warns: false, ...change }
}

const always = Infinity

function refused(carrier: MaapCodePair[0], relay: MaapCodePair[1], tries = always): Change {
  return { refuse: { code: [carrier, relay], tries } }
}

function failed(carrier: MaapCodePair[0], relay: MaapCodePair[1]): Change {
  return { statuses: [[carrier, relay]] }
}

export const behaviours: readonly [Behaviour, ...Behaviour[]] = [
  row('0001', 'Delivered: `success`. Default for all other numbers.'),
  row('0002', 'Failed: `54002`, relay `75007`: cannot receive RCS.', failed('54002', '75007')),
  row('0003', 'Accepted without a status.', { statuses: [] }),
  row('0004', 'Delivered; the status is sent twice.', { statuses: ['success', 'success'] }),
  row('0005', 'Delivered; the status is sent before the response.', { answer: 'after its status' }),
  row('0006', 'Failed: `56007`, relay `79997`: expired.', failed('56007', '79997')),
  row('0007', 'Failed: `55900`, relay `74001` (spam).', failed('55900', '74001')),
  row('0008', 'Refused: `55817`, relay `75008`: invalid recipient.', refused('55817', '75008')),
  row('0009', 'Throttled once, then delivered: `50201`, relay `72104`.', refused('50201', '72104', 1)),
  row('0010', 'Throttled five times, then delivered.', refused('50201', '72104', 5)),
  row('0011', 'Delivered; the response arrives after `--slow-ms`.', { answer: 'slowly' }),
  row('0012', 'Disconnects after accepting the message; the status follows.', { answer: 'by disconnecting' }),
  row('0013', 'Disconnects without accepting the message.', { answer: 'by disconnecting', accepts: false }),
  row('0015', 'Delivered; the status arrives after `--late-ms`.', { late: true }),
  row('0016', 'Failed: `54003`, relay `78004`: switched off. At the relay, `legacy` fails as well.', {
    ...failed('54003', '78004'),
    legacyFails: true,
  }),
  row(
    '0017',
    'System error once, then delivered: HTTP 500, `59001`, relay `71001`.',
    refused('59001', '71001', 1),
  ),
  row('0018', 'Accepted without a response; the status follows.', { answer: 'never' }),
  row('0019', 'Uncertain: `55820`, revoked.', failed('55820', '55820')),
  row('0020', 'Uncertain: `55821`, relay `79998`.', failed('55821', '79998')),
  row('0021', 'Uncertain: `54004`, internal error.', failed('54004', '54004')),
  row('0022', 'Uncertain: `56002`, could not be revoked.', failed('56002', '56002')),
  row('0023', 'Uncertain, then delivered: `55821`, relay `79998`, then `success`.', {
    statuses: [['55821', '79998'], 'success'],
  }),
  row('0024', 'Delivered; the response has a `reason`.', { warns: true }),
  row('0051', 'Refused: `52023`, relay `72103`: the messagebase is paused.', refused('52023', '72103')),
  row('0052', 'Refused: `55807`, relay `72122`: no permission for the chatbot.', refused('55807', '72122')),
  row(
    '0053',
    'HTTP 500 with `59001`, relay `71001`, without accepting the message, for every attempt.',
    refused('59001', '71001'),
  ),
  row('0054', 'HTTP 500 with `59001`, relay `71001`, after accepting the message; the status follows.', {
    answer: 'HTTP 500',
  }),
  row('0055', 'HTTP 200 with truncated JSON after accepting the message; the status follows.', {
    answer: 'broken JSON',
  }),
  row('0056', 'Refused: `51102`, relay `72103`: invalid agency key.', refused('51102', '72103')),
  row('0057', 'Refused: `55818`, relay `72103`: messagebase not found.', refused('55818', '72103')),
  row(
    '0058',
    'Token refused once as expired, then delivered: `50004`, relay `70004`.',
    refused('50004', '70004', 1),
  ),
  row('0059', 'Refused: `55806`, relay `71003`: duplicate message id.', refused('55806', '71003')),
  row('0060', 'Refused: `50202`, relay `72105`: quota exceeded.', refused('50202', '72105')),
  row('0061', 'A subscriber of SKT: delivered there, `54001` at KT and LGU+.', { home: 'SKT' }),
  row('0062', 'A subscriber of KT: delivered there, `54001` at SKT and LGU+.', { home: 'KT' }),
  row('0063', 'A subscriber of LGU+: delivered there, `54001` at SKT and KT.', { home: 'LGU' }),
  row('0064', 'Failed: `59003`, relay `79994`: the backend is unavailable.', failed('59003', '79994')),
  row('0071', 'Delivered, then a reply with text.', { replies: ['text'] }),
  row('0072', 'Delivered, then a reply by button.', { replies: ['response'] }),
  row('0073', 'Delivered, then the user enters the chat room for the first time.', { replies: ['newUser'] }),
  row('0074', 'Delivered, then a reply with a file.', { replies: ['file'] }),
  row('0075', 'Delivered, then a reply with a location.', { replies: ['location'] }),
]

export const behaviourFor = chooseByEnding(behaviours)
