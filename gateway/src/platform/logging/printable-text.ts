/**
 * Content of a character class: control characters, line separators and direction marks, which make a name look
 * like another one in lists and logs.
 */
export const nonPrintable =
  '\\u0000-\\u001f\\u007f-\\u009f\\u061c\\u200e\\u200f\\u2028-\\u202e\\u2066-\\u2069'
const anyNonPrintable = new RegExp(`[${nonPrintable}]`)

/** Reports whether a text contains none of these characters. */
export function isPrintable(text: string): boolean {
  return !anyNonPrintable.test(text)
}
