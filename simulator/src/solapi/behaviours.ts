/**
 * Behaviours by the last four digits of the recipient. docs/solapi.md repeats every `summary`; a test compares the two.
 */
import { chooseByEnding } from '../shared/endings.ts'
import type { EndingRow } from '../shared/endings.ts'
import type { Code } from './codes.ts'

/** The codes of a text message and of a Kakao message. */
type Result = readonly [text: Code, kakao: Code]

export interface Behaviour extends EndingRow {
  /** Refuses this many attempts with the same content first. */
  readonly refuse?: { readonly code: Code | 'throttled' | 'HTTP 500'; readonly tries: number }
  readonly response:
    'immediately' | 'slowly' | 'after the report' | 'never' | 'by disconnecting' | 'HTTP 500' | 'broken JSON'
  /** If false, the message is dropped as if it had never arrived. */
  readonly accepts: boolean
  /** One report each. */
  readonly results: readonly Result[]
  readonly late: boolean
}

type Change = Partial<Omit<Behaviour, 'ending' | 'summary'>>

const delivered: Result = ['4000', '4000']

function row(ending: string, summary: string, change: Change = {}): Behaviour {
  return {
    ending,
    summary,
    response: 'immediately',
    accepts: true,
    results: [delivered],
    late: false,
    ...change,
  }
}

function failed(text: Code, kakao: Code = text): Change {
  return { results: [[text, kakao]] }
}

function refused(code: NonNullable<Behaviour['refuse']>['code'], tries = Infinity): Change {
  return { refuse: { code, tries } }
}

export const behaviours: readonly [Behaviour, ...Behaviour[]] = [
  row('0001', 'Delivered: `4000`. So is every number that matches no other row.'),
  row('0002', 'Failed: `3032`, no subscriber; Kakao `3104`, not a user.', failed('3032', '3104')),
  row('0003', 'Accepted, then `3000`, and never a report.', { results: [] }),
  row('0004', 'Delivered; the report is sent twice.', { results: [delivered, delivered] }),
  row('0005', 'Delivered; the report is sent before the response.', { response: 'after the report' }),
  row('0006', 'Failed: `3040`, timed out.', failed('3040')),
  row('0007', 'Failed: `3054`, spam; Kakao `3107`, blocked by the user.', failed('3054', '3107')),
  row('0008', 'Refused: `1060`, blocked recipient.', refused('1060')),
  row('0009', 'Throttled once, then delivered: HTTP `--throttle-status`.', refused('throttled', 1)),
  row('0010', 'Throttled five times, then delivered.', refused('throttled', 5)),
  row('0011', 'Slow: the response arrives after `--slow-ms`, then delivered.', { response: 'slowly' }),
  row('0012', 'Disconnects after accepting the message; the report follows.', {
    response: 'by disconnecting',
  }),
  row('0013', 'Disconnects without accepting the message: never a report.', {
    response: 'by disconnecting',
    accepts: false,
  }),
  row('0015', 'Late: delivered, with the report after `--late-ms`.', { late: true }),
  row('0016', 'Failed: `3043`, phone switched off; Kakao `3107`.', failed('3043', '3107')),
  row('0017', 'HTTP 500 once, then delivered.', refused('HTTP 500', 1)),
  row('0018', 'Accepted, but the request is never answered; the report follows.', { response: 'never' }),
  row('0020', 'Failed: `3014`, unknown message state.', failed('3014')),
  row('0053', 'HTTP 500 without accepting the message, every time.', refused('HTTP 500')),
  row('0054', 'HTTP 500 after accepting the message; the report follows.', { response: 'HTTP 500' }),
  row('0055', 'HTTP 200 with JSON that is cut off, after accepting the message; the report follows.', {
    response: 'broken JSON',
  }),
  row('0058', 'Refused: `1062`, unregistered sender number.', refused('1062')),
  row('0060', 'No credit: HTTP 402 `NotEnoughBalance`; in a list of messages `1030`.', refused('1030')),
  row('0061', 'Accepted, then no credit: `2230`.', failed('2230')),
]

export const behaviourFor = chooseByEnding(behaviours)
