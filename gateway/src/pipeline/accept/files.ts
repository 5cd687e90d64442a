/**
 * Checks the files that a message refers to: each must exist, belong to the account, not be expired, have been uploaded
 * for this use and have the size that its field requires.
 */
import type { FileReference, Step } from '../../channels/channel.ts'
import type { Issues } from '../../channels/issues.ts'
import { channels } from '../../channels/registry.ts'
import type { FileMetadata } from '../../files/file.ts'
import type { FileLookup } from '../../files/lookup.ts'
import { keyOfImgUrl, keyOfMedia } from '../../files/references.ts'
import { checkUse } from '../../files/check-use.ts'
import { invalidField } from '../../contract/problem.ts'
import { clock } from '../../platform/clock.ts'

/** `placeOf` gives the path before the fields of a step. */
export type CheckFiles = (
  accountId: number,
  steps: readonly Step[],
  placeOf: PlaceOf,
  issues: Issues,
) => Promise<void>
export type PlaceOf = (step: Step, index: number) => string

export function createCheckFiles(lookup: FileLookup, publicFileBase: string): CheckFiles {
  return async (accountId, steps, placeOf, issues) => {
    for (const [index, step] of steps.entries()) {
      const references = channels[step.channel].files(step)
      if (references.length === 0) continue
      const together = new Map<string, FileMetadata>()
      for (const { path, use, sizes, bytesTogether, ...reference } of references) {
        const key = keyOf({ use, ...reference }, publicFileBase)
        if (issues.isSettled()) return
        // A URL or media id that is not the gateway's comes from the carrier; only the carrier can check it.
        if (key === null) continue
        const field = placeOf(step, index) + path
        const fileUse = { field, serviceType: use, ...(sizes === undefined ? {} : { sizes }) }
        const file = checkUse(await lookup.find(key), accountId, fileUse, clock.date(), issues)
        if (file === null || bytesTogether === undefined) continue
        // The same image on several cards is sent once.
        together.set(key, file)
        checkTotal([...together.values()], bytesTogether, field, issues)
      }
    }
  }
}

function checkTotal(files: readonly FileMetadata[], max: number, field: string, issues: Issues): void {
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0)
  if (bytes <= max) return
  const reason = `all images together must be at most ${max} bytes, found ${bytes} up to this one`
  issues.add(invalidField('A200', field, reason))
}

function keyOf({ key, use }: Pick<FileReference, 'key' | 'use'>, publicFileBase: string): string | null {
  switch (use) {
    case 'MMS':
      return key
    case 'RCS':
      return keyOfMedia(key)
    case 'FRIENDTALK':
    case 'BRANDMESSAGE':
      return keyOfImgUrl(publicFileBase, key)
  }
}
