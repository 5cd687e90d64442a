/** `postern account delete-files`: deletes the uploaded files of an account, bytes and rows. */
import { deleteAllFiles } from '../../files/delete.ts'
import { storeFromConfig } from '../../files/from-config.ts'
import { withDatabase } from '../connect.ts'
import type { Invocation } from '../invocation.ts'
import type { Result } from '../result.ts'
import type { FileSetting } from '../setting-lists.ts'
import { requireAccountId } from './view.ts'

export async function deleteAccountFiles(
  invocation: Invocation<FileSetting | 'cell'>,
  clientId: string,
): Promise<Result> {
  const { deleted, elsewhere } = await withDatabase(invocation, async (database, config, audit) => {
    // Also of an account that has moved on: the bytes of what it uploaded here stay here.
    const id = await requireAccountId(database, clientId)
    const files = { database, store: await storeFromConfig(config), cell: config.cell }
    return audit.around(
      { target: clientId, account: clientId },
      () => deleteAllFiles(files, id),
      (done) => ({ deleted: done.deleted }),
    )
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
