/**
 * Checks texts whose length a carrier counts in CP949 bytes. An issue gives the byte count or the character
 * that cannot be sent; nothing is shortened.
 */
import { invalidField } from '../../contract/problem.ts'
import type { ResultCode } from '../../contract/result-codes.ts'
import type { Issues } from '../issues.ts'
import { findUnencodable, tryCountCp949Bytes } from './cp949.ts'
import { normalizeText } from './normalize.ts'
import { toPlainCharacters } from './smart-encoding.ts'

export interface ByteLimit {
  readonly max: number
  /** Result code of a text that is too long. */
  readonly tooLong: ResultCode
  /** Result code of a text with a character that cannot be sent. */
  readonly wrong: ResultCode
  /** Advice for a text that is too long. */
  readonly advice?: string
}

/**
 * Returns the text to send: if CP949 cannot encode the given one and the account uses smart encoding, it has plain
 * equivalents.
 */
export function limitBytes(text: string, path: string, limit: ByteLimit, issues: Issues): string {
  const bytes = countTextBytes(text)
  if (bytes !== null) {
    requireAtMost(limit, bytes, path, issues)
    return text
  }
  const sent = issues.smartEncoding ? toPlainCharacters(text) : normalizeText(text)
  const unencodable = findUnencodable(sent)
  if (unencodable !== null) {
    const { character } = unencodable
    const point = character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')
    const reason = `character U+${point} at position ${normalizeText(text).indexOf(character)} cannot be sent in a text message`
    issues.add(invalidField(limit.wrong, path, reason))
  } else if (sent === '') issues.add(invalidField(limit.wrong, path, 'must not be empty'))
  else requireAtMost(limit, countTextBytes(sent)!, path, issues)
  return sent
}

function requireAtMost(
  { max, tooLong, advice }: ByteLimit,
  bytes: number,
  path: string,
  issues: Issues,
): void {
  if (bytes <= max) return
  const hint = advice === undefined ? '' : ` (${advice})`
  issues.add(invalidField(tooLong, path, `must be at most ${max} bytes, found ${bytes}${hint}`))
}

/** Returns the bytes on the wire, or null for a text with a character that is not in CP949. */
export function countTextBytes(text: string): number | null {
  return tryCountCp949Bytes(normalizeText(text))
}
