/** Files a message refers to: each must exist, belong to the account, be alive and have been uploaded for this use. */
import type { FileReference, Step } from '../channels/channel.ts'
import { channels } from '../channels/registry.ts'
import type { FileLookup } from '../files/lookup.ts'
import { keyOfImgUrl, keyOfMedia } from '../files/references.ts'
import { checkUse } from '../files/use.ts'

/** `placeOf` gives the path before the fields of a step. */
export type CheckFiles = (accountId: number, steps: readonly Step[], placeOf: PlaceOf) => Promise<void>
export type PlaceOf = (step: Step, index: number) => string

export function createCheckFiles(lookup: FileLookup, publicFileBase: string): CheckFiles {
  return async (accountId, steps, placeOf) => {
    for (const [index, step] of steps.entries()) {
      for (const reference of channels[step.channel].files(step)) {
        const key = keyOf(reference, publicFileBase)
        // An address or a media id that is not ours was given by the carrier; only the carrier can judge it.
        if (key === null) continue
        const use = { field: placeOf(step, index) + reference.path, serviceType: reference.use }
        checkUse(await lookup.find(key), accountId, use, new Date())
      }
    }
  }
}

function keyOf({ key, use }: FileReference, publicFileBase: string): string | null {
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
