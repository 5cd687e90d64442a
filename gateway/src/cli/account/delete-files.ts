/** `postern account delete-files`: deletes the uploaded files of an account, bytes and rows. */
import { requireAccountId } from '../../operations/find-account.ts'
import { deleteAllFiles } from '../../records/files/storage/delete.ts'
import { openConfiguredStore } from '../../records/files/from-config.ts'
import { withDatabase } from '../connect.ts'
import type { Invocation } from '../invocation.ts'
import type { Result } from '../result.ts'
import type { FileSetting } from '../setting-lists.ts'

export async function deleteAccountFiles(
  invocation: Invocation<FileSetting>,
  clientId: string,
): Promise<Result> {
  const deleted = await withDatabase(invocation, async (database, config, audit) => {
    const id = await requireAccountId(database, clientId)
    const files = { database, store: await openConfiguredStore(config) }
    return audit.around(
      { target: clientId, account: clientId },
      () => deleteAllFiles(files, id),
      (count) => ({ deleted: count }),
    )
  })
  return { json: { clientId, deleted }, lines: [`${clientId}: deleted ${deleted} files`] }
}
