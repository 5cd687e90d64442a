/** Families of endpoints that share one limit, in the order in which they are shown. */
export const families = ['send', 'report', 'file', 'form'] as const
export type Family = (typeof families)[number]
