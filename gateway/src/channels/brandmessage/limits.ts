/** What a brand message has beyond the bubble. */
export const brandLimits = {
  unsubscribePhoneNumber: 13,
  unsubscribeAuthNumber: 10,
  /** UTF-8 bytes of the whole content as JSON; the variables have no limit of their own. */
  contentBytes: 30_720,
} as const
