/** Files a message refers to: each must exist, belong to the account, be alive and have been uploaded for this use. */
import type { FileReference, Step } from '../channels/channel.ts'
import { channels } from '../channels/registry.ts'
import type { FileLookup } from '../files/lookup.ts'
import { keyOfImgUrl, keyOfMedia } from '../files/references.ts'
import { checkUse } from '../files/use.ts'

export type CheckFiles = (accountId: number, steps: readonly Step[]) => Promise<void>

export function createCheckFiles(lookup: FileLookup, publicFileBase: string): CheckFiles {
  return async (accountId, steps) => {
    for (const step of steps) {
      for (const reference of channels[step.channel].files(step)) {
        const key = keyOf(reference, publicFileBase)
        // An address or a media id that is not ours was given by the carrier; only the carrier can judge it.
        if (key === null) continue
        const use = { field: reference.path, serviceType: reference.use }
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
