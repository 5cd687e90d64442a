/**
 * Checks of text that a carrier counts in CP949 bytes. They name the byte count or the character that is in the
 * way; they never shorten or replace anything.
 */
import { invalidField } from '../../platform/problem.ts'
import { countCp949Bytes, findUnencodable } from '../text/cp949.ts'
import { normaliseText } from '../text/normalise.ts'

/** Bytes that the text takes on the wire; refuses a text with a character that CP949 has not. */
export function bytesOf(text: string, code: string, path: string): number {
  const normal = normaliseText(text)
  const found = findUnencodable(normal)
  if (found !== null) {
    const point = found.character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')
    const reason = `character U+${point} at position ${found.index} cannot be sent in a text message`
    throw invalidField(code, path, reason)
  }
  return countCp949Bytes(normal)
}

export interface ByteLimit {
  readonly most: number
  /** Result code of a text that is too long. */
  readonly tooLong: string
  /** Result code of a text that is wrong otherwise. */
  readonly wrong: string
  /** What to do about a text that is too long. */
  readonly advice?: string
}

export function limitBytes(text: string, path: string, limit: ByteLimit): void {
  const bytes = bytesOf(text, limit.wrong, path)
  if (bytes <= limit.most) return
  const advice = limit.advice === undefined ? '' : ` (${limit.advice})`
  throw invalidField(limit.tooLong, path, `at most ${limit.most} bytes, found ${bytes}${advice}`)
}
