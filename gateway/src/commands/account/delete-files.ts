/** `postern account delete-files`: deletes the uploaded files of an account, bytes and rows. */
import { findAccountId } from '../../accounts/queries.ts'
import { deleteAllFiles } from '../../files/delete.ts'
import { storeFromConfig } from '../../files/from-config.ts'
import { withDatabase } from '../connect.ts'
import type { Result } from '../result.ts'
import { noSuchAccount } from './view.ts'

export async function deleteAccountFiles(clientId: string): Promise<Result> {
  const deleted = await withDatabase(async (database, config) => {
    const id = await findAccountId(database, clientId)
    if (id === null) throw noSuchAccount(clientId)
    return deleteAllFiles(database, await storeFromConfig(config), id)
  })
  return { json: { clientId, deleted }, lines: [`${clientId}: ${deleted} files are deleted`] }
}
