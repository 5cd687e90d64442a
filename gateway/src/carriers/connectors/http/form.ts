/**
 * Limits forms of unauthenticated senders before parsing: the time that `URLSearchParams` takes grows with the square of the
 * number of fields.
 */

/** Limits well above any receipt, which has less than 4 KiB and fewer than 30 fields. */
const maxBytes = 65_536
const maxFields = 256
const ampersand = 0x26

/** Returns null if the form exceeds a limit. */
export function parseForm(body: Buffer): URLSearchParams | null {
  if (body.length > maxBytes) return null
  let fields = 1
  for (const byte of body) if (byte === ampersand && ++fields > maxFields) return null
  return new URLSearchParams(body.toString())
}
