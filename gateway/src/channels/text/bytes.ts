/**
 * Checks texts whose length a carrier counts in CP949 bytes. An issue gives the byte count or the character
 * that cannot be sent; nothing is shortened or replaced.
 */
import { invalidField } from '../../contract/problem.ts'
import type { ResultCode } from '../../contract/result-codes.ts'
import type { Issues } from '../issues.ts'
import { findUnencodable, tryCountCp949Bytes } from './cp949.ts'
import { normalizeText } from './normalize.ts'

export interface ByteLimit {
  readonly max: number
  /** Result code of a text that is too long. */
  readonly tooLong: ResultCode
  /** Result code of a text with a character that cannot be sent. */
  readonly wrong: ResultCode
  /** Advice for a text that is too long. */
  readonly advice?: string
}

export function limitBytes(text: string, path: string, limit: ByteLimit, issues: Issues): void {
  const bytes = countTextBytes(text)
  if (bytes === null) {
    const { character, index } = findUnencodable(normalizeText(text))!
    const point = character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')
    const reason = `character U+${point} at position ${index} cannot be sent in a text message`
    issues.add(invalidField(limit.wrong, path, reason))
  } else if (bytes > limit.max) {
    const advice = limit.advice === undefined ? '' : ` (${limit.advice})`
    issues.add(
      invalidField(limit.tooLong, path, `must be at most ${limit.max} bytes, found ${bytes}${advice}`),
    )
  }
}

/** Returns the bytes on the wire, or null for a text with a character that is not in CP949. */
export function countTextBytes(text: string): number | null {
  return tryCountCp949Bytes(normalizeText(text))
}
