/**
 * The fields of a form that anyone may have sent, within bounds. `URLSearchParams` takes a time that grows with the square
 * of the number of fields: 1 MiB of empty ones blocked a process for 4.5 s. Pure.
 */

/** A receipt has less than 30 fields and 4 KiB. */
const maxBytes = 65_536
const maxFields = 256

/** Null when it is longer than any receipt. */
export function parseForm(body: Buffer): URLSearchParams | null {
  if (body.length > maxBytes) return null
  let fields = 1
  for (const byte of body) if (byte === 0x26 && ++fields > maxFields) return null
  return new URLSearchParams(body.toString())
}
