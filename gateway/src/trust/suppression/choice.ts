/** What a recipient has decided about the advertisements of an account, and the words by which it is said in a text. Pure. */

/** About advertisements: `suppressed`: the recipient opted out. `agreed`: consented, on a day. `none`: neither is known. */
export const choiceStates = ['suppressed', 'agreed', 'none'] as const
export type ChoiceState = (typeof choiceStates)[number]

/** How it became known. `keyword`: by a text of the recipient. `carrier`: its carrier reported it. */
export type ChoiceSource = 'api' | 'keyword' | 'carrier' | 'operator'

export interface Choice {
  readonly state: ChoiceState
  /** The agreement includes the night. */
  readonly night: boolean
}

/** Choices about every account. */
export const everyAccount = 0

const stopWords = new Set([
  ...['STOP', 'STOPALL', 'UNSUBSCRIBE', 'CANCEL', 'END', 'QUIT', 'REVOKE', 'OPTOUT'],
  ...['ARRET', 'REMOVE', 'TD', '수신거부', '무료수신거부', '무료거부', '거부'],
])
const startWords = new Set(['START', 'UNSTOP', '수신동의'])

/** What a text of the recipient means: the whole text is the word, in any case. Null: something else. */
export function readKeyword(text: string): Extract<ChoiceState, 'suppressed' | 'none'> | null {
  const word = text
    .normalize('NFKC')
    .replace(/[^\p{L}\p{N}]/gu, '')
    .toUpperCase()
  if (stopWords.has(word)) return 'suppressed'
  return startWords.has(word) ? 'none' : null
}
