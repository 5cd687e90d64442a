/** The languages of the console. Each has one dictionary with the same keys. */
export const languages = ['en', 'ko'] as const
export type Language = (typeof languages)[number]
