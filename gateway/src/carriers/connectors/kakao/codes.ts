/**
 * Meanings of Kakao's codes in responses and results. The numbers are the same in both and at all resellers. Sources: D, the
 * public program of a dealer; R, the result codes in the public guides of resellers (MTS, NHN Cloud). Options override single
 * codes.
 */
import type { Cause } from '../../../channels/cause.ts'
import type { codeMeanings, KakaoOptions } from './options.ts'

/**
 * `account` concerns the partner key, not the message. `duplicate` is a serial number that was already used. Any other cause
 * means that the message is refused or has failed.
 */
export type CodeMeaning = (typeof codeMeanings)[number] | Cause

export interface CodeRow {
  readonly codes: readonly string[]
  readonly meaning: CodeMeaning
  /** Meaning at Kakao. */
  readonly atKakao: string
  readonly source: 'D' | 'R' | 'D R'
}

const row = (codes: string, meaning: CodeMeaning, source: CodeRow['source'], atKakao: string): CodeRow => ({
  codes: codes.split(' '),
  meaning,
  source,
  atKakao,
})

/** Codes of poll responses and results without a result yet. */
export const noResult: readonly string[] = ['3011', '4000', '4001', '4122', '4161']

export const codeTable: readonly CodeRow[] = [
  row('0000', 'accepted', 'D R', 'success; except in a response with polling, the message was delivered'),
  row('1002', 'account', 'R', 'the hub partner key is not valid'),
  row('1003 1005 1006 1007', 'unregistered-sender', 'R', 'the sender key is unknown, deleted or stopped'),
  row('1011', 'unregistered-sender', 'R', 'no contract'),
  row('1014 1016', 'unregistered-sender', 'R', 'the business number is not valid or not the same'),
  row('1021 1022 1023 1024', 'unregistered-sender', 'R', 'the channel is blocked, closed or deleted'),
  row('1025 1027', 'spam', 'R', 'the channel or its messages are restricted'),
  row('1020 3008', 'bad-number', 'R', 'the recipient is not valid'),
  row('2001 2005 3006 3010 9998', 'unreachable', 'R', 'not sent because of an error at Kakao'),
  row('3000 9999', 'unknown', 'D R', 'an unexpected error: it is unknown whether the message was sent'),
  row('3005', 'unknown', 'D R', 'sent, but not acknowledged; it can arrive within three days'),
  row(noResult.join(' '), 'unknown', 'R', 'no result yet'),
  row('3012 4131', 'duplicate', 'D R', 'the serial number was already used'),
  row('3013 3014', 'refused', 'R', 'the message is empty or too long'),
  row('3015 3016', 'refused', 'R', 'the template does not exist, or the text differs from it'),
  row('3018', 'unsupported', 'R', 'the recipient cannot receive messages'),
  row('3019', 'no-subscriber', 'R', 'not a user of KakaoTalk'),
  row('3020', 'refused', 'R', 'the recipient blocks these messages'),
  row('3021', 'unsupported', 'R', 'the version of KakaoTalk is too old'),
  row('1028', 'refused', 'R', 'brand message: the channel has no permission for this targeting'),
  row('3022', 'night-hours', 'R', 'an advertisement between 20:50 and 08:00'),
  row('3024', 'attachment', 'R', 'the image cannot be sent'),
  row('3025 3026', 'refused', 'R', 'a variable, or extra or event of a button, is too long'),
  row('3027 3028 3030 3031 3033 3036 3038', 'refused', 'R', 'another part differs from the template'),
  row('3029 3032 3034 3035 3037 3039', 'refused', 'R', 'another part is too long'),
  row('3040', 'refused', 'R', 'a character that is not allowed'),
  row('3041 3051', 'refused', 'R', 'too few or too many items or cards'),
  row('3046 3047 3052 3056 3058 4144', 'refused', 'R', 'brand message: a part or the whole is too long'),
  row(
    '1033 3043 3044 3045 3053 3054 3055 3057 4132',
    'refused',
    'R',
    'brand message: differs from the template',
  ),
  row(
    '3050',
    'unsupported',
    'R',
    'brand message: the recipient cannot receive those for users who are not friends',
  ),
  row('4133 4134', 'refused', 'R', 'the template is stopped or was changed'),
  row('4143', 'timeout', 'R', 'the request has expired'),
  row('4138 4156', 'temporary-failure', 'R', 'the quota is exceeded'),
]

const byCode: ReadonlyMap<string, CodeMeaning> = new Map(
  codeTable.flatMap(({ codes, meaning }) => codes.map((code): [string, CodeMeaning] => [code, meaning])),
)

/** Converts a Kakao code to the report code, which is more specific than the cause if the channel has it. */
export function toReportCode(code: string): string {
  return `6${code}`
}

/** Returns `failed` for an unlisted code: it concerns the request or its template, and is final. */
export function getKakaoMeaning({ codes }: Pick<KakaoOptions, 'codes'>, code: string): CodeMeaning {
  if (Object.hasOwn(codes, code)) return codes[code] as CodeMeaning
  return byCode.get(code) ?? 'failed'
}
