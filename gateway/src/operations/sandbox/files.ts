/**
 * Reads images of messages for the console. The store is opened at the first request, so that everything else
 * works without it.
 */
import { createFileLookup } from '../../records/files/lookup.ts'
import { createOpenFile, type OpenFile } from '../../records/files/open-file.ts'
import { openConfiguredStore } from '../../records/files/from-config.ts'
import type { Config } from '../../platform/settings/config.ts'
import type { Database } from '../../platform/database/database.ts'

/** Enough for a few testers: an image has at most 1 MB, and phones show few at a time. */
const maxKeptBytes = 8 * 1024 * 1024

export function createSandboxFiles(config: Config, database: Database): OpenFile {
  let opening: Promise<OpenFile> | undefined
  const open = async (): Promise<OpenFile> =>
    createOpenFile({
      lookup: createFileLookup(database),
      store: await openConfiguredStore(config),
      publicFileUrl: config.publicFileUrl,
      maxKeptBytes,
    })
  return async (reference) => {
    opening ??= open()
    try {
      return await (
        await opening
      )(reference)
    } catch (error) {
      opening = undefined
      throw error
    }
  }
}
