/** The text message that is sent if an RCS message could not be delivered: its shape and its limits. */
import { Type, type Static } from 'typebox'
import { invalidField } from '../../contract/problem.ts'
import { checkSender, originCidField } from '../fields.ts'
import { mmsLimits } from '../mms/limits.ts'
import { checkFileKeys, titleLimit } from '../mms/mms.ts'
import type { Issues } from '../issues.ts'
import { limitBytes } from '../text/bytes.ts'
import { ttlField } from '../ttl.ts'

export const RcsFallback = Type.Object(
  {
    type: Type.Enum(['SMS', 'MMS'], { description: 'Kind of message' }),
    text: Type.String({ description: `Content, at most ${mmsLimits.textBytes} bytes` }),
    title: Type.Optional(Type.String({ description: `Title, at most ${mmsLimits.titleBytes} bytes` })),
    fileKey: Type.Optional(
      Type.Array(Type.String({ minLength: 1 }), {
        description: `Uploaded files, at most ${mmsLimits.files}`,
      }),
    ),
    originCID: originCidField,
    from: Type.Optional(Type.String({ description: "Sender number; the RCS message's own when absent" })),
    ttl: ttlField,
  },
  { additionalProperties: false, description: 'Message sent if the RCS send fails' },
)
export type RcsFallback = Static<typeof RcsFallback>

/** `at` ends with a dot, as in 'fallback.'. */
export function checkRcsFallback(fallback: RcsFallback, at: string, issues: Issues): void {
  const { from, text, title, fileKey } = fallback
  if (from !== undefined) checkSender(from, at, issues)
  if (text === '') issues.add(invalidField('A314', `${at}text`, 'must not be empty'))
  limitBytes(text, `${at}text`, { max: mmsLimits.textBytes, tooLong: 'A329', wrong: 'A314' }, issues)
  if (title !== undefined) limitBytes(title, `${at}title`, titleLimit, issues)
  checkFileKeys(fileKey, 'A317', `${at}fileKey`, issues)
}
