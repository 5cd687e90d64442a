/** Checks whether a message may use a file. A file of another account is answered like one that does not exist. */
import type { ImageSize } from '../channels/channel.ts'
import type { Issues } from '../channels/issues.ts'
import { invalidField, type Problem } from '../contract/problem.ts'
import { findDimensionError } from './dimensions.ts'
import type { FileMetadata, ServiceType } from './file.ts'
import { imageRules } from './rules.ts'

export interface FileUse {
  /** Path of the field that refers to the file, for the error. */
  readonly field: string
  readonly serviceType: ServiceType
  /** The allowed sizes in pixels; default: any size. */
  readonly sizes?: readonly ImageSize[]
  /** Kinds of image that the field shows: the file must meet the rule of one of them, whatever kind it was uploaded as. */
  readonly kinds?: readonly string[]
}

/** Returns the file, or null after adding an issue when the message may not use it. */
export function checkUse(
  file: FileMetadata | null,
  accountId: number,
  use: FileUse,
  now: Date,
  issues: Issues,
): FileMetadata | null {
  const problem = misuse(file, accountId, use, now)
  if (problem === null) return file
  issues.add(problem)
  return null
}

function misuse(file: FileMetadata | null, accountId: number, use: FileUse, now: Date): Problem | null {
  const { field, serviceType, sizes, kinds } = use
  if (file === null || file.accountId !== accountId)
    return invalidField('A217', field, 'there is no such file')
  if (file.expiresAt <= now) return invalidField('A217', field, 'the file has expired; upload it again')
  if (file.serviceType !== serviceType) {
    const uploadedTo = [file.serviceType, file.kind].filter(Boolean).join('/')
    return invalidField('A217', field, `the file was uploaded for ${uploadedTo}`)
  }
  if (kinds !== undefined) return misfit(file, serviceType, kinds, field)
  const fits = sizes?.some(({ width, height }) => width === file.width && height === file.height) ?? true
  if (fits) return null
  const allowed = sizes!.map(toText).join(' or ')
  return invalidField('A203', field, `must be an image of ${allowed} pixels, found ${toText(file)}`)
}

/** The problem with the first kind, unless the file fits one of them. */
function misfit(
  file: FileMetadata,
  serviceType: ServiceType,
  kinds: readonly string[],
  field: string,
): Problem | null {
  const problems = imageRules
    .filter((rule) => rule.serviceType === serviceType && kinds.includes(rule.kind))
    .map(({ kind, maxBytes, dimensions }) => {
      const path = `${serviceType}/${kind}`
      const reason = findDimensionError(dimensions, file)
      if (reason !== null)
        return invalidField('A203', field, `must be an image for ${path}: ${reason}, found ${toText(file)}`)
      if (file.bytes <= maxBytes) return null
      return invalidField(
        'A200',
        field,
        `must be an image for ${path} of at most ${maxBytes} bytes, found ${file.bytes}`,
      )
    })
  return problems.includes(null) ? null : (problems[0] ?? null)
}

function toText({ width, height }: ImageSize): string {
  return `${width}x${height}`
}
