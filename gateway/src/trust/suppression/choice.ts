/** A recipient's choice about the advertisements of an account, and the keywords that express one. */
import type { Config } from '../../platform/settings/config.ts'

/** `suppressed`: the recipient opted out. `agreed`: the recipient consented. `none`: neither is known. */
export const choiceStates = ['suppressed', 'agreed', 'none'] as const
export type ChoiceState = (typeof choiceStates)[number]

/**
 * `api`: the client entered the choice. `keyword`: the client forwarded a text of the recipient. `reply`: the
 * recipient replied with such a text. `carrier`: a carrier reported the choice. `operator`: an operator entered
 * it.
 */
export type ChoiceSource = 'api' | 'keyword' | 'reply' | 'carrier' | 'operator'

/** An opt-out can be removed only by a source of the same or a higher rank: client, recipient, operator. */
export const sourceRanks: Readonly<Record<ChoiceSource, number>> = {
  api: 0,
  keyword: 0,
  reply: 1,
  carrier: 1,
  operator: 2,
}

export function isClientSource(source: ChoiceSource): boolean {
  return sourceRanks[source] === 0
}

export interface RecipientChoice {
  readonly state: ChoiceState
  /** Whether the consent includes the night. */
  readonly night: boolean
}

/** The account id of choices that apply to every account. */
export const allAccountsId = 0

/**
 * Keywords of carriers and platforms in several countries; POSTERN_OPT_OUT_WORDS and POSTERN_OPT_IN_WORDS
 * replace them.
 */
export const defaultKeywords = {
  optOut:
    'STOP STOPALL UNSUBSCRIBE CANCEL END QUIT REVOKE OPTOUT ARRET REMOVE TD BAJA PARAR 수신거부 무료수신거부 무료거부 거부'.split(
      ' ',
    ),
  optIn: ['START', 'UNSTOP', '수신동의'],
}

export type ReadKeyword = (text: string) => Extract<ChoiceState, 'suppressed' | 'none'> | null

/**
 * Creates a function that returns the choice that a text of a recipient expresses, or null if the text is not
 * exactly one keyword.
 */
export function createKeywordReader({
  optOutWords = defaultKeywords.optOut,
  optInWords = defaultKeywords.optIn,
}: Pick<Config, 'optOutWords' | 'optInWords'> = {}): ReadKeyword {
  const [stops, starts] = [new Set(optOutWords.map(normalize)), new Set(optInWords.map(normalize))]
  return (text) => {
    const word = normalize(text)
    if (stops.has(word)) return 'suppressed'
    return starts.has(word) ? 'none' : null
  }
}

/** Removes spaces and punctuation, and ignores case and width. */
function normalize(text: string): string {
  return text
    .normalize('NFKC')
    .replace(/[^\p{L}\p{N}]/gu, '')
    .toUpperCase()
}
