/** Reads pictures of messages for the console. The store is opened when the first one is asked for: without it everything else works. */
import { createFileLookup } from '../../files/lookup.ts'
import { createOpenFile, type OpenFile } from '../../files/open-file.ts'
import { storeFromConfig } from '../../files/from-config.ts'
import type { Config } from '../../platform/config.ts'
import type { Database } from '../../platform/database.ts'

/** A picture is at most 1 MB; the phones of a few testers show few at a time. */
const maxKeptBytes = 8 * 1024 * 1024

export function createSandboxFiles(config: Config, database: Database): OpenFile {
  let opening: Promise<OpenFile> | undefined
  const open = async (): Promise<OpenFile> =>
    createOpenFile({
      ...{ lookup: createFileLookup(database), store: await storeFromConfig(config) },
      ...{ publicFileBase: config.publicFileBase, maxKeptBytes },
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
