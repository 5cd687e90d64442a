/** What one alimtalk may carry; lengths in UTF-16 units of the normalised text. */
export const alimtalkLimits = {
  text: 1_000,
  /** The list takes room from the text. */
  textWithItems: 700,
  title: 50,
  header: 16,
  buttons: { fewest: 0, most: 5, name: 14 },
  items: { fewest: 2, most: 10 },
  item: { title: 6, description: 23 },
  summary: { title: 6, description: 14 },
  /** By msgType: the image of AI takes room from the highlight. */
  highlight: {
    AT: { title: 30, description: 19 },
    AI: { title: 21, description: 13 },
  },
} as const
