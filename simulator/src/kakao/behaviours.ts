/** Behaviours selected by the last four digits of the recipient; send.ts carries them out. */
import { chooseByEnding } from '../shared/endings.ts'
import type { EndingRow } from '../shared/endings.ts'
import type { KakaoResultCode } from './codes.ts'

export interface Behaviour extends EndingRow {
  /** Refuses the first `tries` attempts with the same content. */
  readonly refuse?: { readonly code: KakaoResultCode | 'throttled'; readonly tries: number }
  readonly answer: 'at once' | 'slowly' | 'never' | 'by disconnecting' | 'HTTP 500' | 'broken JSON'
  /** If false, the message is discarded without a response. */
  readonly accepts: boolean
  readonly results: readonly KakaoResultCode[]
  readonly late: boolean
}

type Change = Partial<Omit<Behaviour, 'ending' | 'summary'>>

function row(ending: string, summary: string, change: Change = {}): Behaviour {
  return { ending, summary, answer: 'at once', accepts: true, results: ['0000'], late: false, ...change }
}

const always = Infinity

export const behaviours: readonly [Behaviour, ...Behaviour[]] = [
  row('0001', 'Delivered: `0000`. Default for all other numbers.'),
  row('0002', 'Failed: `3019`, not a user of KakaoTalk.', { results: ['3019'] }),
  row('0003', 'Accepted without a result; without `polling`, no response.', { results: [] }),
  row('0004', 'Delivered; with `polling`, the result is returned twice.', { results: ['0000', '0000'] }),
  row('0006', 'Failed: `4143`, the request has expired.', { results: ['4143'] }),
  row('0007', 'Failed: `3020`, the user blocks these messages.', { results: ['3020'] }),
  row('0008', 'Refused: `3008`, invalid phone number.', { refuse: { code: '3008', tries: always } }),
  row('0009', 'Throttled once, then delivered: HTTP `--throttle-status`, code `--throttle-code`.', {
    refuse: { code: 'throttled', tries: 1 },
  }),
  row('0010', 'Throttled five times, then delivered.', { refuse: { code: 'throttled', tries: 5 } }),
  row('0011', 'Delivered; the response arrives after `--slow-ms`.', { answer: 'slowly' }),
  row('0012', 'Disconnects after accepting the message; with `polling`, the result follows.', {
    answer: 'by disconnecting',
  }),
  row('0013', 'Disconnects without accepting the message.', { answer: 'by disconnecting', accepts: false }),
  row('0015', 'Delivered; the result arrives after `--late-ms`.', { late: true }),
  row('0016', 'Failed: `3018`, the user cannot receive messages.', { results: ['3018'] }),
  row(
    '0017',
    'HTTP 500 with `9999` once, then delivered. The serial number of the first attempt stays in use: `3012`.',
    { refuse: { code: '9999', tries: 1 } },
  ),
  row('0018', 'Accepted without a response; with `polling`, the result follows.', { answer: 'never' }),
  row('0019', 'Failed: `3021`, KakaoTalk version too old.', { results: ['3021'] }),
  row('0020', 'Uncertain: `3005`, sent but not acknowledged.', { results: ['3005'] }),
  row('0051', 'Refused: `3016`, template mismatch.', { refuse: { code: '3016', tries: always } }),
  row('0052', 'Refused: `3022`, not allowed at this time.', { refuse: { code: '3022', tries: always } }),
  row('0053', 'HTTP 500 with `9999` without accepting the message, for every attempt.', {
    refuse: { code: '9999', tries: always },
  }),
  row('0054', 'HTTP 500 with `9999` after accepting the message; with `polling`, the result follows.', {
    answer: 'HTTP 500',
  }),
  row(
    '0055',
    'HTTP 200 with truncated JSON after accepting the message; with `polling`, the result follows.',
    { answer: 'broken JSON' },
  ),
  row('0056', 'Refused: `1021`, the channel is blocked.', { refuse: { code: '1021', tries: always } }),
  row('0057', 'Refused: `3015`, template not found.', { refuse: { code: '3015', tries: always } }),
  row('0058', 'Refused: `1003`, invalid sender key.', { refuse: { code: '1003', tries: always } }),
  row('0059', 'Refused: `3012`, duplicate serial number.', { refuse: { code: '3012', tries: always } }),
  row('0060', 'Refused: `4156`, quota exceeded.', { refuse: { code: '4156', tries: always } }),
]

export const behaviourFor = chooseByEnding(behaviours)
