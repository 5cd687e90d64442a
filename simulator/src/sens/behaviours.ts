/** Behaviours selected by the last four digits of the recipient. */
import { chooseByEnding } from '../shared/endings.ts'
import { always } from '../shared/provider-submission.ts'
import type { BehaviourChange, ProviderBehaviour } from '../shared/provider-submission.ts'
import type { GatewayError } from './errors.ts'

/** `400` is an error of SENS; the others are errors of the API gateway. */
export type SensRefusal = GatewayError | '400'

export interface SensResultPair {
  readonly sms: string
  readonly kakao: string
}

export type SensBehaviour = ProviderBehaviour<SensRefusal, SensResultPair>
type Change = BehaviourChange<SensRefusal, SensResultPair>

const delivered: SensResultPair = { sms: '0', kakao: '0000' }

function row(ending: string, summary: string, change: Change = {}): SensBehaviour {
  return { ending, summary, answer: 'at once', accepts: true, results: [delivered], late: false, ...change }
}

function failed(sms: string, kakao: string): Change {
  return { results: [{ sms, kakao }] }
}

function refused(refusal: SensRefusal, tries = always): Change {
  return { refuse: { refusal, tries } }
}

export const behaviours: readonly [SensBehaviour, ...SensBehaviour[]] = [
  row('0001', 'Delivered: `0`; Kakao `0000`. Default for all other numbers.'),
  row('0002', 'Failed: `3001`, unknown number; Kakao `3019`, not a KakaoTalk user.', failed('3001', '3019')),
  row('0003', 'Accepted without a result.', { results: [] }),
  row('0006', 'Failed: `2000`, timed out; Kakao `3012`, no connection to Kakao.', failed('2000', '3012')),
  row('0007', 'Failed: `3012`, spam; Kakao `3020`, blocked by the user.', failed('3012', '3020')),
  row('0008', 'Refused with HTTP 400: invalid recipient.', refused('400')),
  row('0009', 'Throttled once, then delivered: HTTP 429 with `410`.', {
    refuse: { refusal: 'throttled', tries: 1 },
  }),
  row('0010', 'Throttled five times, then delivered.', { refuse: { refusal: 'throttled', tries: 5 } }),
  row('0011', 'Delivered; the response arrives after `--slow-ms`.', { answer: 'slowly' }),
  row('0012', 'Disconnects after accepting the message; the result follows.', { answer: 'by disconnecting' }),
  row('0013', 'Disconnects without accepting the message.', { answer: 'by disconnecting', accepts: false }),
  row('0015', 'Delivered; the result arrives after `--late-ms`.', { late: true }),
  row('0016', 'Failed: `2003`, switched off; Kakao `3018`, cannot be sent.', failed('2003', '3018')),
  row('0017', 'HTTP 503 with `500` once, then delivered.', refused('503/500', 1)),
  row('0018', 'Accepted without a response; the result follows.', { answer: 'never' }),
  row('0019', 'Failed: `3006`, rejected; Kakao `3021`, KakaoTalk version too old.', failed('3006', '3021')),
  row('0020', 'Uncertain: `E999`, other; Kakao `3005`, sent but not acknowledged.', failed('E999', '3005')),
  row('0052', 'Failed: Kakao `3022`, not at this time; SMS `3014`, other.', failed('3014', '3022')),
  row('0053', 'HTTP 503 with `500` without accepting the message, for every attempt.', refused('503/500')),
  row('0054', 'HTTP 504 with `510` after accepting the message; the result follows.', {
    answer: 'with a server error',
  }),
  row('0055', 'HTTP 202 with truncated JSON after accepting the message; the result follows.', {
    answer: 'with broken JSON',
  }),
  row('0056', 'Refused with HTTP 401 and `210`: no permission.', refused('401/210')),
  row('0058', 'Refused with HTTP 401 and `200`: the login failed.', refused('401/200')),
  row('0060', 'Refused with HTTP 429 and `400`: quota exceeded.', refused('429/400')),
]

export const behaviourFor = chooseByEnding(behaviours)
