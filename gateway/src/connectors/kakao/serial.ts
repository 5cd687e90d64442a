/**
 * Serial numbers, by which Kakao knows a message: the Korean day of the message key, which Kakao requires before it (2006),
 * and a digest of our reference. A submission that was certainly not accepted gets another one when it is made again: an
 * answer may have used the first one up. All of them begin with the id of the reference, and receipts are matched by it.
 */
import { hash } from 'node:crypto'
import { LRUCache } from 'lru-cache'

/** Kakao's limit is 30: nine of the day, 18 of the digest (93 bits), three of the repetition. */
const digestLength = 18
const repetitionLength = 2
const maxRepetition = 36 ** repetitionLength - 1
const hourMs = 3_600_000
/** Submissions that are being made again. */
const maxRemembered = 10_000

/** Of all serial numbers of a reference; the carrier id of its attempt. */
export function serialBase(reference: string): string {
  const digest = hash('sha256', reference).slice(0, 24)
  const letters = BigInt(`0x${digest}`).toString(36).padStart(digestLength, '0').slice(-digestLength)
  return `${koreanDay(reference)}-${letters}`
}

/** The base of a serial number as Kakao returns it; itself when it is not one of ours. */
export function baseOf(serial: string): string {
  const trimmed = serial.trim().toLowerCase()
  return /^(\d{8}-[0-9a-z]{18})(?:-[0-9a-z]{2})?$/.exec(trimmed)?.[1] ?? serial
}

/** Which serial number the submission with this base has next. */
export class Serials {
  readonly #repetitions = new LRUCache<string, number>({ max: maxRemembered })

  of(base: string): string {
    const repetition = this.#repetitions.get(base)
    if (repetition === undefined) return base
    return `${base}-${repetition.toString(36).padStart(repetitionLength, '0')}`
  }

  /** The serial number was in an answer that did not accept the message. */
  useUp(base: string): void {
    const repetition = this.#repetitions.get(base) ?? 0
    this.#repetitions.set(base, Math.min(repetition + 1, maxRepetition))
  }

  forget(base: string): void {
    this.#repetitions.delete(base)
  }
}

/** A message key begins with its time in UTC. */
function koreanDay(reference: string): string {
  const time = /^(2\d{3})(0[1-9]|1[0-2])([0-2]\d|3[01])([01]\d|2[0-3])/.exec(reference)
  if (time === null) return '20000101'
  const [year, month, day, hour] = time.slice(1).map(Number) as [number, number, number, number]
  const korean = new Date(Date.UTC(year, month - 1, day, hour) + 9 * hourMs)
  return korean.toISOString().slice(0, 10).replaceAll('-', '')
}
