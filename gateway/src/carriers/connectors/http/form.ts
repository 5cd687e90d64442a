/**
 * Limits forms of unauthenticated senders before parsing: the time that `URLSearchParams` takes grows with the square of the
 * number of fields.
 */

/** A receipt has fewer than 30 fields and 4 KiB. */
const maxBytes = 65_536
const maxFields = 256

/** Returns null if the form is larger than any receipt. */
export function parseForm(body: Buffer): URLSearchParams | null {
  if (body.length > maxBytes) return null
  let fields = 1
  for (const byte of body) if (byte === 0x26 && ++fields > maxFields) return null
  return new URLSearchParams(body.toString())
}
