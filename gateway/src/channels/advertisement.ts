/**
 * Detects advertisements and their mark in the text. The result decides the lane, the trust rules that apply
 * and the flag for carriers. Runs for every step.
 */
import type { Step } from './channel.ts'
import { getAdFlag } from './kakao/submission.ts'
import { someStepText, plainText } from './step-texts.ts'

/**
 * Korean law requires it at the start of a text advertisement, in this form; RCS and Kakao have a field
 * instead.
 */
export const advertisementMark = '(광고)'

/**
 * `exact`: the text begins with the mark. `variant`: the text begins with another form of the mark, such as
 * `[광고]` or `(광 고)`, or the mark follows symbols or words in brackets, such as `[Web발신]`.
 */
export type AdvertisementMark = 'exact' | 'variant' | 'none'

/** Number of characters in which the mark is searched for. */
const searchedCharacters = 60
const open = '(\\[{<（［｛＜〈《「『【〔'
const close = ')\\]}>）］｝＞〉》」』】〕'
const noLetter = `[^\\p{L}\\p{N}${open}${close}]*`
const word = `광${noLetter}고${noLetter}[${close}]`
/** Matches a mark after symbols, digits and words in brackets, and a mark within a longer word such as `(대출광고)`. */
const hidden = new RegExp(
  `^(?:[^\\p{L}${open}]|[${open}][^${open}${close}]{0,20}[${close}])*(?:[${open}][^${open}${close}]{0,20})?${word}`,
  'u',
)
/** Matches format characters and fillers, which no phone displays. */
const invisible = /[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu
/**
 * Fast path: most texts begin with a word of ASCII letters or Hangul syllables, so there is no mark before
 * it. The second character is no jamo, which NFKC would compose with the first one: 과 and U+11BC are 광.
 */
const beginsWithWord = /^(?!광)[A-Za-z가-힣][\t\n\r\x20-\x7e가-힣]/

/** Caches the last result: the lane and the trust rules check the same text in sequence. */
let cached: { readonly text: string; readonly mark: AdvertisementMark } = { text: '', mark: 'none' }

export function getAdvertisementMark(text: string): AdvertisementMark {
  if (text !== cached.text) cached = { text, mark: findMark(text) }
  return cached.mark
}

function findMark(text: string): AdvertisementMark {
  if (text.startsWith(advertisementMark)) return 'exact'
  if (beginsWithWord.test(text)) return 'none'
  const head = text.slice(0, searchedCharacters)
  if (plainText.test(head)) return head.includes('광') && hidden.test(head) ? 'variant' : 'none'
  const plain = head.normalize('NFKC').replace(invisible, '').slice(0, searchedCharacters)
  return hidden.test(plain) ? 'variant' : 'none'
}

/** Returns whether any text of the step has the mark, whatever its fields declare. */
export function hasMark(step: Step): boolean {
  return someStepText(step, (text) => getAdvertisementMark(text) !== 'none', '광')
}

export function isAdvertisement(step: Step): boolean {
  if ('text' in step) return getAdvertisementMark(step.text) !== 'none'
  const { channel, content } = step
  if (channel === 'rcs' && (content as { readonly header?: unknown }).header === '1') return true
  if ((channel === 'friendtalk' || channel === 'brandmessage') && getAdFlag(content) === 'Y') return true
  return hasMark(step)
}
