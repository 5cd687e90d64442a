/** Limits of an alimtalk; lengths in UTF-16 units of the normalized text. */
export const alimtalkLimits = {
  text: 1_000,
  /** Limit of a text that comes with an item list. */
  textWithItems: 700,
  title: 50,
  header: 16,
  buttons: { min: 0, max: 5, name: 14 },
  items: { min: 2, max: 10 },
  item: { title: 6, description: 23 },
  summary: { title: 6, description: 14 },
  /** Limits by msgType; AI has less room because of its image. */
  highlight: { AT: { title: 30, description: 19 }, AI: { title: 21, description: 13 } },
} as const
