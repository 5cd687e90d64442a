/** Converts variables of a brand message template for providers that accept one flat list per message. */
import type { TemplateVariables } from '../../../channels/brandmessage/variables.ts'

type Values = Readonly<Record<string, unknown>>

/** Parts of a card with variables, in the spellings of clients. */
const cardParts = new Set(
  ['message', 'button', 'coupon', 'commerce'].flatMap((part) => [`${part}Variable`, `${part}_variable`]),
)

/**
 * Returns the text of each variable. `cards` has the variables of each carousel card and a suffix for their names. Returns
 * null if a value is not a string or number, if two parts have different values for a name, or if a card has another part.
 */
export function flattenVariables(
  variables: TemplateVariables | undefined,
  cards: readonly (readonly [card: Values, suffix: string])[],
): Readonly<Record<string, string>> | null {
  const texts = new Map<string, string>()
  const add = (values: unknown, suffix = ''): boolean =>
    values === undefined ||
    (typeof values === 'object' &&
      values !== null &&
      Object.entries(values).every(([name, value]) => {
        if (typeof value !== 'string' && typeof value !== 'number') return false
        const key = name + suffix
        const isConsistent = !texts.has(key) || texts.get(key) === String(value)
        texts.set(key, String(value))
        return isConsistent
      }))
  const { message, button, coupon, commerce } = variables ?? {}
  const isValid =
    [message, button, coupon, commerce].every((values) => add(values)) &&
    cards.every(([card, suffix]) =>
      Object.entries(card).every(([part, values]) => cardParts.has(part) && add(values, suffix)),
    )
  return isValid ? Object.fromEntries(texts) : null
}
