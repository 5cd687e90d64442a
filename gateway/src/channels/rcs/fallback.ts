/**
 * The text message that is sent when an RCS message could not be delivered: its shape, its limits, and which
 * kind of message it becomes.
 */
import { Type, type Static } from 'typebox'
import { invalidField } from '../../platform/problem.ts'
import { originCidField } from '../fields.ts'
import { isSender } from '../numbers.ts'
import { countCp949Bytes, findUnencodable } from '../text/cp949.ts'
import { normaliseText } from '../text/normalise.ts'

export const maxFallbackTextBytes = 2000
export const maxFallbackTitleBytes = 40
export const maxFallbackFileKeys = 3
/** What one SMS holds. */
const maxSmsBytes = 90

export const Fallback = Type.Object(
  {
    type: Type.Enum(['SMS', 'MMS'], { description: 'Kind of message' }),
    text: Type.String({ description: 'Content, at most 2000 bytes' }),
    title: Type.Optional(Type.String({ description: 'Title, at most 40 bytes' })),
    fileKey: Type.Optional(
      Type.Array(Type.String({ minLength: 1 }), { description: 'Uploaded files, at most 3' }),
    ),
    originCID: originCidField,
    from: Type.Optional(Type.String({ description: "Sender number; the RCS message's own when absent" })),
  },
  { additionalProperties: false, description: 'Message sent if the RCS send fails' },
)
export type Fallback = Static<typeof Fallback>

/** `at` ends with a dot, as in 'fallback.'. */
export function checkFallback(fallback: Fallback, at: string): void {
  const { from, text, title, fileKey = [] } = fallback
  if (from !== undefined && !isSender(from)) {
    throw invalidField('A302', `${at}from`, 'digits of a sender number are wanted')
  }
  if (text === '') throw invalidField('A314', `${at}text`, 'a text is wanted')
  checkBytes(text, maxFallbackTextBytes, { unencodable: 'A314', tooLong: 'A329' }, `${at}text`)
  if (title !== undefined) {
    checkBytes(title, maxFallbackTitleBytes, { unencodable: 'A300', tooLong: 'A300' }, `${at}title`)
  }
  if (fileKey.length > maxFallbackFileKeys) {
    const reason = `at most ${maxFallbackFileKeys} files, found ${fileKey.length}`
    throw invalidField('A317', `${at}fileKey`, reason)
  }
}

/** An SMS that does not fit one goes as MMS rather than be cut or lose its images. */
export function fallbackChannel(fallback: Fallback): 'sms' | 'mms' {
  const { type, text, fileKey = [] } = fallback
  const fits = fileKey.length === 0 && countCp949Bytes(normaliseText(text)) <= maxSmsBytes
  return type === 'SMS' && fits ? 'sms' : 'mms'
}

interface ByteCodes {
  readonly unencodable: string
  readonly tooLong: string
}

function checkBytes(value: string, max: number, codes: ByteCodes, path: string): void {
  const text = normaliseText(value)
  const found = findUnencodable(text)
  if (found !== null) {
    const point = found.character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')
    const reason = `character U+${point} at position ${found.index} cannot be sent as a text message`
    throw invalidField(codes.unencodable, path, reason)
  }
  const bytes = countCp949Bytes(text)
  if (bytes > max) throw invalidField(codes.tooLong, path, `at most ${max} bytes, found ${bytes}`)
}
