/**
 * Returns whether a text looks like a one-time code or another message about a login: it has a word of the
 * list and a group of four to nine letters and digits with a digit among them, possibly with a hyphen. Decides
 * whether a short time limit makes a step urgent, for accounts with the lane setting `codes`, and runs only for them.
 */
import type { Step } from './channel.ts'

/** Words of Korean and English messages with codes. */
const words =
  /인증|본인\s?확인|비밀번호|패스워드|암호|로그인|승인\s?번호|보안\s?코드|verif|confirm|passcode|password|\bone[- ]?time|\botp\b|\bpin\b|\bauth|log ?in|sign ?in|security code/i
const code = /(?<![0-9A-Za-z])(?=[0-9A-Za-z-]*\d)[0-9A-Za-z]{3,4}-?[0-9A-Za-z]{1,5}(?![0-9A-Za-z])/

export function isOneTimeCode(step: Step): boolean {
  const text = 'text' in step ? step.text : joinTexts(step.content)
  return words.test(text) && code.test(text)
}

/** Joins all strings of a rich message, to a small depth, since its text can be in any part. */
function joinTexts(content: unknown, depth = 4): string {
  if (typeof content === 'string') return content
  if (typeof content !== 'object' || content === null || depth === 0) return ''
  return Object.values(content)
    .map((value) => joinTexts(value, depth - 1))
    .join('\n')
}
