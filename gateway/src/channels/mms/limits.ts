/** Limits of an LMS or MMS. Bytes are CP949 bytes of the normalized text. */
export const mmsLimits = { textBytes: 2_000, titleBytes: 40, files: 3 } as const
