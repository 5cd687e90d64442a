/**
 * Serial numbers, which identify messages at Kakao: the Korean date of the message key, a prefix that Kakao requires (its code
 * 2006 otherwise), and a digest of our reference. Unless the route is `repeatable`, a submission to which Kakao responded without
 * accepting it gets another serial number when it is repeated, because the response can have used up the first one. All of them
 * begin with the base, by which receipts are matched.
 */
import { hash } from 'node:crypto'
import { LRUCache } from 'lru-cache'

/** Kakao's limit is 30: nine characters for the date, 18 for the digest (93 bits), three for the repetition. */
const digestLength = 18
const repetitionLength = 2
const maxRepetition = 36 ** repetitionLength - 1
const hourMs = 3_600_000
/** Maximum number of repeated submissions to track. */
const maxRemembered = 10_000

/** Returns the common prefix of all serial numbers of a reference: the carrier id of its attempt. */
export function serialBase(reference: string): string {
  const digest = hash('sha256', reference).slice(0, 24)
  const letters = BigInt(`0x${digest}`).toString(36).padStart(digestLength, '0').slice(-digestLength)
  return `${koreanDay(reference)}-${letters}`
}

/** Returns the base of a serial number as Kakao returns it, or the input if it is not ours. */
export function parseSerialBase(serial: string): string {
  const trimmed = serial.trim().toLowerCase()
  return /^(\d{8}-[0-9a-z]{18})(?:-[0-9a-z]{2})?$/.exec(trimmed)?.[1] ?? serial
}

/** Tracks the next serial number of each base. */
export class Serials {
  readonly #repetitions = new LRUCache<string, number>({ max: maxRemembered })

  get(base: string): string {
    const repetition = this.#repetitions.get(base)
    if (repetition === undefined) return base
    return `${base}-${repetition.toString(36).padStart(repetitionLength, '0')}`
  }

  /** Records that Kakao responded to the serial number without accepting the message. */
  useUp(base: string): void {
    const repetition = this.#repetitions.get(base) ?? 0
    this.#repetitions.set(base, Math.min(repetition + 1, maxRepetition))
  }

  delete(base: string): void {
    this.#repetitions.delete(base)
  }
}

/** Returns the Korean date of a message key, which begins with its time in UTC; `20000101` for any other text. */
function koreanDay(reference: string): string {
  const time = /^(2\d{3})(0[1-9]|1[0-2])([0-2]\d|3[01])([01]\d|2[0-3])/.exec(reference)
  if (time === null) return '20000101'
  const [year, month, day, hour] = time.slice(1).map(Number) as [number, number, number, number]
  const korean = new Date(Date.UTC(year, month - 1, day, hour) + 9 * hourMs)
  return korean.toISOString().slice(0, 10).replaceAll('-', '')
}
