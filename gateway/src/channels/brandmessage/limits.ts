/** Limits of a brand message beyond those of its bubble. */
export const brandLimits = {
  unsubscribePhoneNumber: 13,
  unsubscribeAuthNumber: 10,
  /** UTF-8 bytes of the whole content as JSON; the variables have no limit of their own. */
  contentBytes: 30_720,
} as const
