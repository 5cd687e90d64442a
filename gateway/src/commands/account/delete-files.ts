/** `postern account delete-files`: deletes the uploaded files of an account, bytes and rows. */
import { deleteAllFiles } from '../../files/delete.ts'
import { storeFromConfig } from '../../files/from-config.ts'
import { withDatabase } from '../connect.ts'
import type { Result } from '../result.ts'
import { requireAccountId } from './view.ts'

export async function deleteAccountFiles(clientId: string): Promise<Result> {
  const { deleted, elsewhere } = await withDatabase(async (database, config) => {
    // Also of an account that has moved on: the bytes of what it uploaded here stay here.
    const id = await requireAccountId(database, clientId)
    return deleteAllFiles({ database, store: await storeFromConfig(config), cell: config.cell }, id)
  })
  return {
    json: { clientId, deleted, elsewhere: Object.fromEntries(elsewhere) },
    lines: [
      `${clientId}: ${deleted} files are deleted`,
      ...[...elsewhere].map(
        ([cell, count]) =>
          `${count} files are stored in cell ${cell}, which still serves their images; run this command with the settings of that cell too`,
      ),
    ],
  }
}
