/** Whether a message may use a file. Another account's file is answered exactly like one that does not exist. */
import { invalidField } from '../platform/problem.ts'
import type { FileMetadata, ServiceType } from './file.ts'

export interface FileUse {
  /** Path of the field that names the file, for the refusal. */
  readonly field: string
  readonly serviceType: ServiceType
  /** The kinds that fit; every kind of the service when it is left out. */
  readonly kinds?: readonly string[]
}

/** Returns the file, or throws A217. */
export function checkUse(
  file: FileMetadata | null,
  accountId: number,
  use: FileUse,
  now: Date,
): FileMetadata {
  if (file === null || file.accountId !== accountId)
    throw invalidField('A217', use.field, 'there is no such file')
  if (file.expiresAt <= now) throw invalidField('A217', use.field, 'the file has expired, upload it again')
  const fits = file.serviceType === use.serviceType && (use.kinds?.includes(file.kind) ?? true)
  if (!fits) {
    const uploadedTo = [file.serviceType, file.kind].filter(Boolean).join('/')
    throw invalidField('A217', use.field, `the file was uploaded for ${uploadedTo}`)
  }
  return file
}
