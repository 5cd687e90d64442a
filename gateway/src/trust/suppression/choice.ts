/** What a recipient has decided about the advertisements of an account, and the words by which it is said in a text. Pure. */
import type { Config } from '../../platform/config.ts'

/** About advertisements: `suppressed`: the recipient opted out. `agreed`: consented, on a day. `none`: neither is known. */
export const choiceStates = ['suppressed', 'agreed', 'none'] as const
export type ChoiceState = (typeof choiceStates)[number]

/**
 * How it became known. `api`: the client entered it. `keyword`: by a text of the recipient that the client passed on; `reply`: by one
 * that a carrier delivered. `carrier`: a carrier reported it.
 */
export type ChoiceSource = 'api' | 'keyword' | 'reply' | 'carrier' | 'operator'

/** What the client says can be taken back by all; what the recipient told a carrier, not by the client; an operator's, by operators. */
export const ranks: Readonly<Record<ChoiceSource, number>> = {
  ...{ api: 0, keyword: 0 },
  ...{ reply: 1, carrier: 1 },
  operator: 2,
}

export function isOfClient(source: ChoiceSource): boolean {
  return ranks[source] === 0
}

export interface Choice {
  readonly state: ChoiceState
  /** The agreement includes the night. */
  readonly night: boolean
}

/** Choices about every account. */
export const everyAccount = 0

export interface ChoiceWords {
  readonly optOut: readonly string[]
  readonly optIn: readonly string[]
}

/** Of the carriers and platforms of several countries; POSTERN_OPT_OUT_WORDS and POSTERN_OPT_IN_WORDS replace them. */
export const defaultWords: ChoiceWords = {
  optOut: [
    ...['STOP', 'STOPALL', 'UNSUBSCRIBE', 'CANCEL', 'END', 'QUIT', 'REVOKE', 'OPTOUT'],
    ...['ARRET', 'REMOVE', 'TD', 'BAJA', 'PARAR', '수신거부', '무료수신거부', '무료거부', '거부'],
  ],
  optIn: ['START', 'UNSTOP', '수신동의'],
}

/** The words of the settings, where there are any. */
export function wordsFromConfig({
  optOutWords: optOut,
  optInWords: optIn,
}: Pick<Config, 'optOutWords' | 'optInWords'>): Partial<ChoiceWords> {
  return { ...(optOut === undefined ? {} : { optOut }), ...(optIn === undefined ? {} : { optIn }) }
}

export type ReadKeyword = (text: string) => Extract<ChoiceState, 'suppressed' | 'none'> | null

/** Says what a text of a recipient means: the whole text is the word, in any case. Null: something else. */
export function createKeywordReader({
  optOut = defaultWords.optOut,
  optIn = defaultWords.optIn,
}: Partial<ChoiceWords> = {}): ReadKeyword {
  const [stops, starts] = [new Set(optOut.map(wordOf)), new Set(optIn.map(wordOf))]
  return (text) => {
    const word = wordOf(text)
    if (stops.has(word)) return 'suppressed'
    return starts.has(word) ? 'none' : null
  }
}

/** Without blanks and punctuation. */
function wordOf(text: string): string {
  return text
    .normalize('NFKC')
    .replace(/[^\p{L}\p{N}]/gu, '')
    .toUpperCase()
}
