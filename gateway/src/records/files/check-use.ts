/**
 * Checks whether a message can use a file. The error for a file of another account is the same as for a
 * missing file.
 */
import type { ImageSize } from '../../channels/channel.ts'
import type { Issues } from '../../channels/issues.ts'
import { invalidField, type Problem } from '../../contract/problem.ts'
import { findDimensionError } from './dimensions.ts'
import type { FileMetadata, ServiceType } from './file.ts'
import { imageRules } from './rules.ts'

export interface FileUse {
  /** Path of the field that refers to the file, for the error. */
  readonly field: string
  readonly serviceType: ServiceType
  /** Allowed sizes in pixels; by default any size. */
  readonly sizes?: readonly ImageSize[]
  /**
   * Kinds of image that the field shows: the file must meet the rule of one of them, whatever kind it was
   * uploaded as. `sizes` is then ignored.
   */
  readonly kinds?: readonly string[]
}

/** Returns the file, or null after adding an issue if the message cannot use it. */
export function checkFileUse(
  file: FileMetadata | null,
  accountId: number,
  use: FileUse,
  now: Date,
  issues: Issues,
): FileMetadata | null {
  const problem = findUseProblem(file, accountId, use, now)
  if (problem === null) return file
  issues.add(problem)
  return null
}

function findUseProblem(
  file: FileMetadata | null,
  accountId: number,
  use: FileUse,
  now: Date,
): Problem | null {
  const { field, serviceType, sizes, kinds } = use
  if (file === null || file.accountId !== accountId) return invalidField('A217', field, 'file not found')
  if (file.expiresAt <= now) return invalidField('A217', field, 'the file has expired; upload it again')
  if (file.serviceType !== serviceType) {
    const uploadedTo = [file.serviceType, file.kind].filter(Boolean).join('/')
    return invalidField('A217', field, `the file was uploaded for ${uploadedTo}`)
  }
  if (kinds !== undefined) return findKindProblem(file, serviceType, kinds, field)
  const hasAllowedSize =
    sizes?.some(({ width, height }) => width === file.width && height === file.height) ?? true
  if (hasAllowedSize) return null
  const allowed = sizes!.map(toText).join(' or ')
  return invalidField('A203', field, `must be an image of ${allowed} pixels, found ${toText(file)}`)
}

/** Returns null if the file fits one of the kinds, otherwise the problem with the first kind. */
function findKindProblem(
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
