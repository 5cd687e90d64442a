/**
 * msgKey: 32 characters of `[0-9A-Z]`. It consists of the 17-digit UTC accept time (for a scheduled message
 * its send time), a 2-character cell, and 13 characters from the system's random source (67 bits: unique and
 * not guessable). It identifies the cell and the partition of the day.
 */
import { randomFillSync } from 'node:crypto'

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ'
const suffixLength = 13
// One call to the random source serves many keys; 252 = 7 * 36 keeps the choice of a character uniform.
const pool = new Uint8Array(8192)
let used = pool.length

// Cached because a busy process creates many keys in one millisecond.
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

/** Returns random letters and digits of `[0-9A-Z]`. */
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

/**
 * Formats the time prefix of a key, such as `2026-11-16T09:00:00.000Z`; null if the key does not begin with
 * 17 digits. The digits are not checked to be a valid time.
 */
export function formatKeyTime(key: string): string | null {
  const [, year, month, day, hour, minute, second, ms] =
    /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\d{3})/.exec(key) ?? []
  return year === undefined ? null : `${year}-${month}-${day}T${hour}:${minute}:${second}.${ms}Z`
}

/**
 * Parses the accept time, or the send time of a scheduled message, in milliseconds. Returns NaN if the key
 * does not begin with a time.
 */
export function parseKeyTime(msgKey: string): number {
  return Date.parse(formatKeyTime(msgKey) ?? '')
}

/** Returns the cell that accepted the message. */
export function parseKeyCell(msgKey: string): string {
  return msgKey.slice(17, 19)
}
