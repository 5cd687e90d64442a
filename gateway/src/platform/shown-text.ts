/** Text that people read in lists, on terminals and in the audit log. Pure. */

/** Control characters, separators of lines, and what turns the direction of text: a name with one is shown as another one. */
export const unshown = '\\u0000-\\u001f\\u007f-\\u009f\\u061c\\u200e\\u200f\\u2028-\\u202e\\u2066-\\u2069'
const anyUnshown = new RegExp(`[${unshown}]`)

/** Whether it is shown as it is. */
export function isShown(text: string): boolean {
  return !anyUnshown.test(text)
}
