/** Separate from the SQL of accounts, so that a command that only names the kinds loads no driver. */
export const accountKinds = ['customer', 'reseller'] as const
export type AccountKind = (typeof accountKinds)[number]
