/**
 * LMS and MMS: a long text with an optional title and up to three uploaded images. The type is MM with an
 * image and LM without one. The accept stage looks up the files.
 */
import { Type, type Static } from 'typebox'
import { invalidField } from '../../contract/problem.ts'
import type { FieldCodes, ResultCode } from '../../contract/result-codes.ts'
import { checkSender, numberField, recipientField, originCidField, refField } from '../fields.ts'
import type { Issues } from '../issues.ts'
import { limitBytes } from '../text/bytes.ts'
import { normalizeText } from '../text/normalize.ts'
import { ttlField } from '../ttl.ts'
import { mmsLimits } from './limits.ts'

const contentFields = {
  from: numberField('Sender number, digits only'),
  text: Type.String({ minLength: 1, description: `Content, at most ${mmsLimits.textBytes} bytes` }),
  title: Type.Optional(Type.String({ description: `Title, at most ${mmsLimits.titleBytes} bytes` })),
  fileKey: Type.Optional(
    Type.Array(Type.String({ minLength: 1, description: 'Key of an uploaded image' }), {
      description: `Keys of uploaded images, at most ${mmsLimits.files}; an MMS with one, an LMS without`,
    }),
  ),
  originCID: originCidField,
}

export const SimpleBody = Type.Object(
  { ...contentFields, to: recipientField, ref: refField },
  { additionalProperties: false },
)

export const FlowEntry = Type.Object({ ...contentFields, ttl: ttlField }, { additionalProperties: false })

export type Content = Static<typeof FlowEntry>

export const fieldCodes: FieldCodes = { from: 'A302', to: 'A306', text: 'A303', ref: 'A305', fileKey: 'A217' }

export function checkContent(content: Content, at: string, issues: Issues): void {
  checkSender(content.from, at, issues)
  if (content.text === '') issues.add(invalidField('A303', `${at}text`, 'must not be empty'))
  checkFileKeys(content.fileKey, 'A319', `${at}fileKey`, issues)
}

export function limitTexts(content: Content, at: string, issues: Issues): Content {
  const text = limitBytes(content.text, `${at}text`, textLimit, issues)
  const title =
    content.title === undefined ? undefined : limitBytes(content.title, `${at}title`, titleLimit, issues)
  if (text === content.text && title === content.title) return content
  return { ...content, text, ...(title !== undefined && { title }) }
}

const textLimit = { max: mmsLimits.textBytes, tooLong: 'A328', wrong: 'A303' } as const

/** Also applies to the MMS fallback of another message. */
export const titleLimit = { max: mmsLimits.titleBytes, tooLong: 'A300', wrong: 'A300' } as const

/** `tooMany` is the result code for too many keys, which differs between the fields that hold keys. */
export function checkFileKeys(
  keys: readonly string[] | undefined,
  tooMany: ResultCode,
  path: string,
  issues: Issues,
): void {
  if (keys === undefined) return
  if (keys.length > mmsLimits.files) {
    issues.add(
      invalidField(tooMany, path, `must have at most ${mmsLimits.files} files, found ${keys.length}`),
    )
  }
  for (const [index, key] of keys.entries()) {
    if (issues.isSettled()) return
    if (key === '') issues.add(invalidField('A217', `${path}[${index}]`, 'must not be empty'))
  }
}

export function getMsgType(content: Content): 'LM' | 'MM' {
  return content.fileKey === undefined || content.fileKey.length === 0 ? 'LM' : 'MM'
}

export function getText(content: Content): string {
  return content.text
}

export function getFileReferences(
  content: Pick<Content, 'fileKey'>,
): readonly { readonly key: string; readonly path: string; readonly use: 'MMS' }[] {
  return (content.fileKey ?? []).map((key, index) => ({ key, path: `fileKey[${index}]`, use: 'MMS' }))
}

export interface SubmissionContent {
  readonly from: string
  readonly text: string
  readonly title?: string
  readonly fileKeys: readonly string[]
  readonly originCid?: string
}

export function toSubmission(content: Content): SubmissionContent {
  return {
    from: content.from,
    text: normalizeText(content.text),
    ...(content.title === undefined ? {} : { title: normalizeText(content.title) }),
    fileKeys: content.fileKey ?? [],
    ...(content.originCID === undefined ? {} : { originCid: content.originCID }),
  }
}
