/** How errors name what was given: options of a command, or fields of the admin API. Pure. */

export type NameOf = (field: string) => string

/** `optOutNumbers` is `--opt-out-numbers`, `prefixPer10Minutes` `--prefix-per-10-minutes`. */
export const asOption: NameOf = (field) =>
  `--${field.replaceAll(/[A-Z]|\d+/g, (part) => `-${part.toLowerCase()}`)}`
export const asField: NameOf = (field) => `'${field}'`
