/** Behaviours selected by the last four digits of the recipient; send.ts carries them out. */
import { chooseByEnding } from '../shared/endings.ts'
import { always } from '../shared/provider-submission.ts'
import type { BehaviourChange, ProviderBehaviour } from '../shared/provider-submission.ts'
import type { KakaoCode, SmsCode } from './codes.ts'

/** Codes of the SMS service and of KakaoTalk Bizmessage. The message is accepted if its code is undefined. */
export interface NhnCodePair {
  readonly sms: SmsCode | undefined
  readonly kakao: KakaoCode | undefined
}

export interface NhnResultPair {
  readonly sms: string
  readonly kakao: string
}

export interface NhnBehaviour extends ProviderBehaviour<NhnCodePair, NhnResultPair> {
  /** Refuses only this recipient instead of the request. */
  readonly refuseRecipient?: NhnCodePair
}

const delivered: NhnResultPair = { sms: '1000', kakao: '1000' }
const systemError: NhnCodePair = { sms: -9999, kakao: -9999 }

function row(
  ending: string,
  summary: string,
  change: BehaviourChange<NhnCodePair, NhnResultPair> & Pick<NhnBehaviour, 'refuseRecipient'> = {},
): NhnBehaviour {
  return { ending, summary, answer: 'at once', accepts: true, results: [delivered], late: false, ...change }
}

function failed(sms: string, kakao: string): BehaviourChange<NhnCodePair, NhnResultPair> {
  return { results: [{ sms, kakao }] }
}

function refused(
  sms: NhnCodePair['sms'],
  kakao: NhnCodePair['kakao'],
): BehaviourChange<NhnCodePair, NhnResultPair> {
  return { refuse: { refusal: { sms, kakao }, tries: always } }
}

export const behaviours: readonly [NhnBehaviour, ...NhnBehaviour[]] = [
  row('0001', 'Delivered: `1000`. Default for all other numbers.'),
  row('0002', 'Failed: `3001`, no subscriber; Kakao `3019`, not a KakaoTalk user.', failed('3001', '3019')),
  row('0003', 'Accepted without a result.', { results: [] }),
  row('0004', 'Delivered; the webhook is sent twice.', { results: [delivered, delivered] }),
  row('0005', 'Delivered; the webhook is sent before the response.', { answer: 'after its report' }),
  row('0006', 'Failed: `2000`, timed out; Kakao `3012`, no connection to Kakao.', failed('2000', '3012')),
  row('0007', 'Failed: `3012`, spam; Kakao `3020`, blocked by the user.', failed('3012', '3020')),
  row(
    '0008',
    'The recipient is refused: `-2019`, invalid number; Kakao `-5000`, with `-1031` in the header.',
    { refuseRecipient: { sms: -2019, kakao: -5000 } },
  ),
  row('0009', 'Throttled once with HTTP 429, then delivered.', {
    refuse: { refusal: 'throttled', tries: 1 },
  }),
  row('0010', 'Throttled five times, then delivered.', { refuse: { refusal: 'throttled', tries: 5 } }),
  row('0011', 'Delivered; the response arrives after `--slow-ms`.', { answer: 'slowly' }),
  row('0012', 'Disconnects after accepting the message; the result follows.', { answer: 'by disconnecting' }),
  row('0013', 'Disconnects without accepting the message.', { answer: 'by disconnecting', accepts: false }),
  row('0015', 'Delivered; the result arrives after `--late-ms`.', { late: true }),
  row('0016', 'Failed: `2003`, switched off; Kakao `3018`, cannot be sent.', failed('2003', '3018')),
  row(
    '0017',
    'HTTP 500 with `-9999` once, then delivered. The idempotency key of the first attempt stays in use.',
    { refuse: { refusal: systemError, tries: 1 } },
  ),
  row('0018', 'Accepted without a response; the result follows.', { answer: 'never' }),
  row('0019', 'Failed: `3006`, rejected; Kakao `3021`, KakaoTalk version too old.', failed('3006', '3021')),
  row('0020', 'Uncertain: `E999`, other; Kakao `3005`, sent but not acknowledged.', failed('E999', '3005')),
  row(
    '0051',
    'Refused: `-2023`, invalid characters; Kakao `-3010`, template mismatch.',
    refused(-2023, -3010),
  ),
  row('0052', 'Failed: `E919`, not at this time; Kakao `3022`, not at this time.', failed('E919', '3022')),
  row('0053', 'HTTP 500 with `-9999` without accepting the message, for every attempt.', {
    refuse: { refusal: systemError, tries: always },
  }),
  row('0054', 'HTTP 500 with `-9999` after accepting the message; the result follows.', {
    answer: 'with a server error',
  }),
  row('0055', 'HTTP 200 with truncated JSON after accepting the message; the result follows.', {
    answer: 'with broken JSON',
  }),
  row('0056', 'Refused: `-2313`, the sender is blocked; Kakao `-1027`, the same.', refused(-2313, -1027)),
  row(
    '0057',
    'Refused: `-2312`, unregistered sender; Kakao `-3003`, unknown template.',
    refused(-2312, -3003),
  ),
  row(
    '0058',
    'Refused: `-1008`, the project is blocked; Kakao `-1001`, invalid secret key.',
    refused(-1008, -1001),
  ),
  row(
    '0060',
    'Refused: `-2052`, monthly quota exceeded. Kakao has no such code: delivered.',
    refused(-2052, undefined),
  ),
]

export const behaviourFor = chooseByEnding(behaviours)
