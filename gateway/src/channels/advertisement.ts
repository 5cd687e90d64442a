/**
 * Whether a step is an advertisement, and how its text says so. Decides its lane, the rules of trust that apply to it and
 * what connectors tell carriers. Pure; runs for every step.
 */
import type { Step } from './channel.ts'
import { adFlagOf } from './kakao/advertisement.ts'
import { someText, usualText } from './step-texts.ts'

/** Korean law demands it at the beginning of a text advertisement, in this form; RCS and Kakao have a field instead. */
export const advertisementMark = '(광고)'

/**
 * `exact`: the text begins with the mark. `variant`: with another form of it, such as `[광고]` or `(광 고)`, or with the mark
 * behind symbols or words in brackets, such as `[Web발신]`.
 */
export type Mark = 'exact' | 'variant' | 'none'

/** The mark is looked for in so many characters. */
const beginning = 60
const open = '(\\[{<（［｛＜〈《「『【〔'
const close = ')\\]}>）］｝＞〉》」』】〕'
const noLetter = `[^\\p{L}\\p{N}${open}${close}]*`
const word = `광${noLetter}고${noLetter}[${close}]`
/** After symbols, digits and words in brackets. `(대출광고)` hides the mark in a longer word. */
const hidden = new RegExp(
  `^(?:[^\\p{L}${open}]|[${open}][^${open}${close}]{0,20}[${close}])*(?:[${open}][^${open}${close}]{0,20})?${word}`,
  'u',
)
/** Format characters and fillers, which no phone shows. */
const invisible = /[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu
/** Most texts begin with a word of ASCII letters or Hangul syllables: there is no mark before it. */
const beginsWithWord = /^(?!광)[A-Za-z가-힣][\t\n\r\x20-\x7e가-힣]/

/** The lane and three rules ask for the mark of the same text, one after the other. */
let known: { readonly text: string; readonly mark: Mark } = { text: '', mark: 'none' }

export function markOf(text: string): Mark {
  if (text !== known.text) known = { text, mark: findMark(text) }
  return known.mark
}

function findMark(text: string): Mark {
  if (text.startsWith(advertisementMark)) return 'exact'
  if (beginsWithWord.test(text)) return 'none'
  const head = text.slice(0, beginning)
  if (usualText.test(head)) return head.includes('광') && hidden.test(head) ? 'variant' : 'none'
  const plain = head.normalize('NFKC').replace(invisible, '').slice(0, beginning)
  return hidden.test(plain) ? 'variant' : 'none'
}

/** Whether any text of the step has the mark, whatever its fields say. */
export function hasMark(step: Step): boolean {
  return someText(step, (text) => markOf(text) !== 'none', '광')
}

export function isAdvertisement(step: Step): boolean {
  if ('text' in step) return markOf(step.text) !== 'none'
  const { channel, content } = step
  if (channel === 'rcs' && (content as { readonly header?: unknown }).header === '1') return true
  if ((channel === 'friendtalk' || channel === 'brandmessage') && adFlagOf(content) === 'Y') return true
  return hasMark(step)
}
