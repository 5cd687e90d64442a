/**
 * The values of protection settings. Separate from their SQL, so that a command that only names them loads no
 * driver.
 */
export const reactions = ['refuse', 'hold'] as const
/** `hold`: the message is accepted and waits for an operator. */
export type Reaction = (typeof reactions)[number]

export const linkChoices = ['any', 'no-shorteners', 'listed'] as const
export type LinkChoice = (typeof linkChoices)[number]

export const periods = ['day', 'month'] as const
export type Period = (typeof periods)[number]
