/** Behaviours selected by the last four digits of the recipient; send.ts carries them out. */
import { chooseByEnding } from '../shared/endings.ts'
import type { EndingRow } from '../shared/endings.ts'
import type { SolapiCode } from './codes.ts'

/** Codes of a text message and of a Kakao message. */
type Result = readonly [text: SolapiCode, kakao: SolapiCode]

export interface Behaviour extends EndingRow {
  /** Refuses the first `tries` attempts with the same content. */
  readonly refuse?: { readonly code: SolapiCode | 'throttled' | 'HTTP 500'; readonly tries: number }
  readonly response:
    | 'immediately'
    | 'slowly'
    | 'after the report'
    | 'never'
    | 'by disconnecting'
    | 'HTTP 500'
    | 'broken JSON'
  /** If false, the message is discarded as if it had never arrived. */
  readonly accepts: boolean
  /** Results, each sent as one report. */
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

function failed(text: SolapiCode, kakao: SolapiCode = text): Change {
  return { results: [[text, kakao]] }
}

function refused(code: NonNullable<Behaviour['refuse']>['code'], tries = Infinity): Change {
  return { refuse: { code, tries } }
}

export const behaviours: readonly [Behaviour, ...Behaviour[]] = [
  row('0001', 'Delivered: `4000`. Default for all other numbers.'),
  row('0002', 'Failed: `3032`, no subscriber; Kakao `3104`, not a user.', failed('3032', '3104')),
  row('0003', 'Accepted, then `3000`, without a report.', { results: [] }),
  row('0004', 'Delivered; the report is sent twice.', { results: [delivered, delivered] }),
  row('0005', 'Delivered; the report is sent before the response.', { response: 'after the report' }),
  row('0006', 'Failed: `3040`, timed out.', failed('3040')),
  row('0007', 'Failed: `3054`, spam; Kakao `3107`, blocked by the user.', failed('3054', '3107')),
  row('0008', 'Refused: `1060`, blocked recipient.', refused('1060')),
  row('0009', 'Throttled once, then delivered: HTTP `--throttle-status`.', refused('throttled', 1)),
  row('0010', 'Throttled five times, then delivered.', refused('throttled', 5)),
  row('0011', 'Delivered; the response arrives after `--slow-ms`.', { response: 'slowly' }),
  row('0012', 'Disconnects after accepting the message; the report follows.', {
    response: 'by disconnecting',
  }),
  row('0013', 'Disconnects without accepting the message.', { response: 'by disconnecting', accepts: false }),
  row('0015', 'Delivered; the report arrives after `--late-ms`.', { late: true }),
  row('0016', 'Failed: `3043`, phone switched off; Kakao `3107`.', failed('3043', '3107')),
  row('0017', 'HTTP 500 once, then delivered.', refused('HTTP 500', 1)),
  row('0018', 'Accepted without a response; the report follows.', { response: 'never' }),
  row('0020', 'Failed: `3014`, unknown message state.', failed('3014')),
  row('0053', 'HTTP 500 without accepting the message, for every attempt.', refused('HTTP 500')),
  row('0054', 'HTTP 500 after accepting the message; the report follows.', { response: 'HTTP 500' }),
  row('0055', 'HTTP 200 with truncated JSON after accepting the message; the report follows.', {
    response: 'broken JSON',
  }),
  row('0058', 'Refused: `1062`, unregistered sender number.', refused('1062')),
  row('0060', 'No credit: HTTP 402 `NotEnoughBalance`; in a list of messages `1030`.', refused('1030')),
  row('0061', 'Accepted, then no credit: `2230`.', failed('2230')),
]

export const behaviourFor = chooseByEnding(behaviours)
