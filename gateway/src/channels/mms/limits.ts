/** What one LMS or MMS may carry. Bytes are CP949 bytes of the normalised text. */
export const mmsLimits = {
  textBytes: 2_000,
  titleBytes: 40,
  files: 3,
  /** The documented default is a day; carriers stop waiting for a phone after three. */
  ttlSeconds: { fewest: 1, most: 259_200 },
} as const
