/**
 * Whether a step is an advertisement, and how its text says so. Decides its lane, the rules of trust that apply to it and
 * what connectors tell carriers. Pure; runs for every step.
 */
import type { Step } from './channel.ts'
import { adFlagOf } from './kakao/advertisement.ts'

/** Korean law demands it at the beginning of a text advertisement, in this form; RCS and Kakao have a field instead. */
export const advertisementMark = '(광고)'

/** `exact`: the text begins with the mark. `variant`: with another form of it, such as `[광고]` or `(광 고)`. */
export type Mark = 'exact' | 'variant' | 'none'

const open = '(\\[{<（［｛＜〈《「『【〔'
const close = ')\\]}>）］｝＞〉》」』】〕'
const bracketed = new RegExp(`^[\\s\\p{Cf}]{0,20}[${open}]([^${open}${close}]{2,20})[${close}]`, 'u')
const notLetters = /[^\p{L}\p{N}]/gu
/** ASCII and Hangul syllables, which NFKC leaves as they are: most texts begin with the name of a company in such letters. */
const usual = /^[\x20-\x7e가-힣]*$/

export function markOf(text: string): Mark {
  if (text.startsWith(advertisementMark)) return 'exact'
  const inside = bracketed.exec(text)?.[1]
  if (inside === undefined || (!inside.includes('고') && usual.test(inside))) return 'none'
  // `(대출광고)` hides the mark in a longer word.
  return inside.normalize('NFKC').replace(notLetters, '').endsWith('광고') ? 'variant' : 'none'
}

export function isAdvertisement(step: Step): boolean {
  if ('text' in step) return markOf(step.text) !== 'none'
  if (step.channel === 'friendtalk' || step.channel === 'brandmessage') return adFlagOf(step.content) === 'Y'
  const { text, title, header } = step.content as Record<string, unknown>
  if (step.channel === 'rcs') return header === '1'
  return [title, text].some((line) => typeof line === 'string' && markOf(line) !== 'none')
}
