/**
 * Cursors of the report stream: an opaque position in one account's order. A cursor of another account is rejected: it
 * would skip reports unnoticed. Pure.
 */
const form = /^[A-Za-z0-9_-]{6,64}$/

export function writeCursor(accountId: number, seq: number): string {
  return Buffer.from(`1.${padded(accountId, 6)}.${padded(seq, 10)}`).toString('base64url')
}

function padded(number: number, digits: number): string {
  return number.toString(36).padStart(digits, '0')
}

/** The number after which to read; null when it is not a cursor of this account. */
export function readCursor(accountId: number, cursor: string): number | null {
  if (!form.test(cursor)) return null
  const [version, account, seq, ...rest] = Buffer.from(cursor, 'base64url').toString('latin1').split('.')
  if (version !== '1' || account !== padded(accountId, 6) || seq === undefined || rest.length > 0) return null
  const number = /^[0-9a-z]{1,11}$/.test(seq) ? parseInt(seq, 36) : NaN
  return Number.isSafeInteger(number) && writeCursor(accountId, number) === cursor ? number : null
}
