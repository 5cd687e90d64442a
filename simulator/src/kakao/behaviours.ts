/**
 * What the Kakao server does with a message, chosen by the last four digits of its recipient. This table is the
 * documentation: docs/kakao.md repeats every `summary` and a test compares the two. Data only; send.ts carries them out.
 */
import { chooseByEnding } from '../shared/endings.ts'
import type { EndingRow } from '../shared/endings.ts'
import type { Code } from './codes.ts'

export interface Behaviour extends EndingRow {
  /** Refuse this many tries of the same message to the same recipient first. */
  readonly refuse?: { readonly code: Code | 'throttled'; readonly tries: number }
  readonly answer: 'at once' | 'slowly' | 'never' | 'by disconnecting' | 'HTTP 500' | 'broken JSON'
  /** False: the message is dropped as if it had never arrived. */
  readonly accepts: boolean
  readonly results: readonly Code[]
  readonly late: boolean
}

type Change = Partial<Omit<Behaviour, 'ending' | 'summary'>>

function row(ending: string, summary: string, change: Change = {}): Behaviour {
  return { ending, summary, answer: 'at once', accepts: true, results: ['0000'], late: false, ...change }
}

const always = Infinity

export const behaviours: readonly [Behaviour, ...Behaviour[]] = [
  row('0001', 'Delivered: `0000`. So is every number that matches no other row.'),
  row('0002', 'Failed: `3019`, not a user of KakaoTalk.', { results: ['3019'] }),
  row('0003', 'Accepted, and never a result; without `polling`, never a response.', { results: [] }),
  row('0004', 'Delivered; with `polling`, the result is given twice.', { results: ['0000', '0000'] }),
  row('0006', 'Failed: `4143`, the request has expired.', { results: ['4143'] }),
  row('0007', 'Failed: `3020`, the user blocks these messages.', { results: ['3020'] }),
  row('0008', 'Refused at once: `3008`, bad phone number.', { refuse: { code: '3008', tries: always } }),
  row('0009', 'Throttled once, then delivered: HTTP `--throttle-status`, code `--throttle-code`.', {
    refuse: { code: 'throttled', tries: 1 },
  }),
  row('0010', 'Throttled five times, then delivered.', { refuse: { code: 'throttled', tries: 5 } }),
  row('0011', 'Slow: the answer comes after `--slow-ms`, then delivered.', { answer: 'slowly' }),
  row('0012', 'Disconnects after accepting the message; the result follows.', { answer: 'by disconnecting' }),
  row('0013', 'Disconnects without accepting the message: never a result.', {
    answer: 'by disconnecting',
    accepts: false,
  }),
  row('0015', 'Late: delivered, with the result after `--late-ms`.', { late: true }),
  row('0016', 'Failed: `3018`, the user cannot receive messages.', { results: ['3018'] }),
  row(
    '0017',
    'HTTP 500 with `9999` once, then delivered. The serial number of the first try is used up: `3012`.',
    {
      refuse: { code: '9999', tries: 1 },
    },
  ),
  row('0018', 'Accepted, but the request is never answered; the result follows.', { answer: 'never' }),
  row('0019', 'Failed: `3021`, the version of KakaoTalk is too old.', { results: ['3021'] }),
  row('0020', 'Uncertain: `3005`, sent but not acknowledged.', { results: ['3005'] }),
  row('0051', 'Refused at once: `3016`, the message does not match its template.', {
    refuse: { code: '3016', tries: always },
  }),
  row('0052', 'Refused at once: `3022`, not allowed at this time.', {
    refuse: { code: '3022', tries: always },
  }),
  row('0053', 'HTTP 500 with `9999` without accepting the message, every time.', {
    refuse: { code: '9999', tries: always },
  }),
  row('0054', 'HTTP 500 with `9999` after accepting the message; the result follows.', {
    answer: 'HTTP 500',
  }),
  row('0055', 'HTTP 200 with JSON that is cut off, after accepting the message; the result follows.', {
    answer: 'broken JSON',
  }),
  row('0056', 'Refused at once: `1021`, the channel is blocked.', {
    refuse: { code: '1021', tries: always },
  }),
  row('0057', 'Refused at once: `3015`, the template was not found.', {
    refuse: { code: '3015', tries: always },
  }),
  row('0058', 'Refused at once: `1003`, the sender key is not valid.', {
    refuse: { code: '1003', tries: always },
  }),
  row('0059', 'Refused at once: `3012`, the serial number was used before.', {
    refuse: { code: '3012', tries: always },
  }),
  row('0060', 'Refused at once: `4156`, the quota is used up.', { refuse: { code: '4156', tries: always } }),
]

export const behaviourFor = chooseByEnding(behaviours)
