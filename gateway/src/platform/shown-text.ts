/** Control characters, line separators and direction marks, which make a name look like another one in lists and logs. */
export const unshown = '\\u0000-\\u001f\\u007f-\\u009f\\u061c\\u200e\\u200f\\u2028-\\u202e\\u2066-\\u2069'
const anyUnshown = new RegExp(`[${unshown}]`)

/** Reports whether a text is displayed as it is written. */
export function isShown(text: string): boolean {
  return !anyUnshown.test(text)
}
