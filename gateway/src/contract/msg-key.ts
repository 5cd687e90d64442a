/**
 * msgKey: 32 characters of `[0-9A-Z]`. The 17-digit UTC accept time (of a scheduled message: its send time), a
 * 2-character cell, and 13 characters from the system's random source (67 bits: unique, not guessable). It identifies
 * the cell and the partition of the day.
 */
import { randomFillSync } from 'node:crypto'

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ'
const suffixLength = 13
// One call to the random source serves many keys; 252 = 7 * 36 keeps the choice of a letter uniform.
const pool = new Uint8Array(8192)
let used = pool.length

// A busy process creates many keys in one millisecond.
let lastMs = NaN
let lastDigits = ''

export function createMsgKey(cell: string, now: Date): string {
  const ms = now.getTime()
  if (ms !== lastMs) {
    lastDigits = timeDigits(now)
    lastMs = ms
  }
  return lastDigits + cell + randomLetters(suffixLength)
}

export function randomLetters(count: number): string {
  let letters = ''
  while (letters.length < count) {
    if (used === pool.length) {
      randomFillSync(pool)
      used = 0
    }
    const byte = pool[used++]!
    if (byte < 252) letters += alphabet[byte % 36]!
  }
  return letters
}

/** `yyyyMMddHHmmssSSS` in UTC. */
export function timeDigits(now: Date): string {
  const iso = now.toISOString()
  return (
    iso.slice(0, 4) +
    iso.slice(5, 7) +
    iso.slice(8, 10) +
    iso.slice(11, 13) +
    iso.slice(14, 16) +
    iso.slice(17, 19) +
    iso.slice(20, 23)
  )
}

export function isMsgKey(candidate: string): boolean {
  return /^\d{17}[0-9A-Z]{15}$/.test(candidate)
}

/** The time that a key begins with, such as `2026-11-16T09:00:00.000Z`; null when it does not begin with 17 digits. They may be no time. */
export function isoTimeOfKey(key: string): string | null {
  const [, year, month, day, hour, minute, second, ms] =
    /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\d{3})/.exec(key) ?? []
  return year === undefined ? null : `${year}-${month}-${day}T${hour}:${minute}:${second}.${ms}Z`
}

/** When the message was accepted or, of a scheduled one, is to be sent, in milliseconds; NaN when the key begins with no time. */
export function timeOfKey(msgKey: string): number {
  return Date.parse(isoTimeOfKey(msgKey) ?? '')
}

/** The cell that accepted the message. */
export function cellOfKey(msgKey: string): string {
  return msgKey.slice(17, 19)
}
