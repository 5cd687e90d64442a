/** What a client deletes is deleted in the cell that stores it, whichever cell serves the account, and no move revives it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { filesBelow, temporaryFolder } from '../../../test/support/files/workspace.ts'
import {
  a,
  b,
  move,
  moved,
  moveOf,
  newAccount,
  storeFile,
  type Cell,
} from '../../../test/support/two-cells.ts'
import { findAccountId } from '../../accounts/queries.ts'
import { deleteAllFiles, deleteFile, type FilePlace } from '../../files/delete.ts'
import { openDiskStore } from '../../files/disk.ts'
import { findFile } from '../../files/queries.ts'
import { removeExpired } from '../../files/removal.ts'
import { Readable } from 'node:stream'
import { copyFinal, prepareTarget } from './move-copy.ts'

const folders = { A1: await temporaryFolder(), B1: await temporaryFolder() }
const placeOf = async ({ id, database }: Cell): Promise<FilePlace> => ({
  ...{ database, cell: id },
  store: await openDiskStore(folders[id as keyof typeof folders]),
})
const [inA, inB] = [await placeOf(a), await placeOf(b)]

async function upload(cell: FilePlace, accountId: number): Promise<string> {
  const key = await storeFile(cell.cell === 'A1' ? a : b, accountId)
  await cell.store.put(key, Readable.from([Buffer.from('image')]))
  return key
}

test('a file that is deleted after the move is withdrawn in the cell that stores it by the next run', async () => {
  const { id, clientId } = await newAccount(a)
  const [deleted, kept] = [await upload(inA, id), await upload(inA, id)]
  await moved(clientId, a, b)
  const there = (await findAccountId(b.database, clientId))!
  assert.deepEqual(await deleteFile(inB, there, deleted), { storedIn: 'A1' })
  assert.equal(await findFile(b.database, deleted), null, 'no send finds it')

  assert.equal((await move(clientId, a, b)).error, '')
  assert.equal(
    await findFile(b.database, deleted),
    null,
    'a run that copies late uploads does not bring it back',
  )
  assert.equal(await findFile(a.database, deleted), null, 'its image is not served')
  await removeExpired(a.database, inA.store, new Date())
  assert.equal(
    (await filesBelow(folders.A1)).some((name) => name.includes(deleted)),
    false,
  )
  assert.notEqual(await findFile(a.database, kept), null)
  assert.notEqual(await findFile(b.database, kept), null)

  // Back in its first cell, and deleted here before: both cells agree.
  assert.deepEqual(await deleteFile(inB, there, kept), { storedIn: 'A1' })
  assert.equal((await move(clientId, b, a)).error, '')
  assert.equal(await findFile(a.database, kept), null)
})

test('a file that is deleted between the first copy and the pause does not live on in the new cell', async () => {
  const { id, clientId } = await newAccount(a)
  const key = await upload(inA, id)
  const run = await moveOf(clientId)
  const there = await prepareTarget(run)
  assert.notEqual(await findFile(b.database, key), null)
  assert.deepEqual(await deleteFile(inA, id, key), { storedIn: null })
  await copyFinal(run, there, () => Promise.resolve())
  assert.equal(await findFile(b.database, key), null)
})

test('the operator deletes all files of an account, and learns which cells have the rest', async () => {
  const { id, clientId } = await newAccount(a)
  await upload(inA, id)
  await moved(clientId, a, b)
  const there = (await findAccountId(b.database, clientId))!
  await upload(inB, there)
  assert.deepEqual(await deleteAllFiles(inB, there), { deleted: 1, elsewhere: new Map([['A1', 1]]) })
  assert.deepEqual(await deleteAllFiles(inB, there), { deleted: 0, elsewhere: new Map() })
  assert.deepEqual(await deleteAllFiles(inA, id), { deleted: 1, elsewhere: new Map() })
})
