import assert from 'node:assert/strict'
import type { Readable } from 'node:stream'
import { test } from 'node:test'
import { makeJpeg } from '../../../test/support/files/images.ts'
import { multipartBody, multipartType } from '../../../test/support/files/multipart.ts'
import {
  account,
  createFileTestBed,
  filesBelow,
  newFile,
  rowCount,
  serveFiles,
} from '../../../test/support/files/test-bed.ts'
import { deleteAllFiles, deleteFile } from './storage/delete.ts'
import { addCleanup } from '../../../test/support/cleanup.ts'
import { silentLog } from '../../../test/support/silent-log.ts'
import { waitFor } from '../../../test/support/wait.ts'
import { openDatabase, type Database } from '../../platform/database/database.ts'
import { createFileLookup } from './lookup.ts'
import { findImageRule } from './storage/paths.ts'
import { insertPendingFile } from './queries.ts'
import { registerFile } from './register.ts'
import { computeRemovalTime } from './storage/removal.ts'
import { openSpool } from './storage/spool.ts'

/** The class of the advisory lock with which `queries.ts` counts the files of an account. */
const quotaLockClass = 0x66696c65
const image = makeJpeg(800, 600)
const quota = { files: 5, bytes: image.length * 4 }
const day = 86_400_000
const testBed = await createFileTestBed({ quota, imageLifetimeMs: 30 * day })
const { database, store, storeFolder } = testBed
const server = serveFiles(testBed)
const here = { database, store, cell: '00' }
const openPool = (connections: number): Database => {
  const pool = openDatabase(testBed.url, silentLog, { connections })
  addCleanup(() => pool.end())
  return pool
}

interface FileResponse {
  readonly code: string
  readonly result: string
  readonly data?: Readonly<Record<string, string>>
}

async function call(method: 'POST' | 'DELETE', path: string, payload?: Buffer): Promise<FileResponse> {
  const response = await server.inject({
    method,
    url: `/v1/file/${path}`,
    ...(payload === undefined ? {} : { headers: { 'content-type': multipartType }, payload }),
  })
  return response.json<FileResponse>()
}

/** Uploads a file. Concurrent uploads of an account can get A920; such an upload is repeated until it gets another response. */
async function upload(path = 'MMS'): Promise<FileResponse> {
  const response = await call('POST', path, multipartBody({ content: image }))
  return response.code === 'A920' ? upload(path) : response
}

test('concurrent uploads never exceed the quota of an account, and a refused one stores nothing', async () => {
  const responses = await Promise.all(Array.from({ length: 10 }, () => upload()))
  assert.equal(responses.filter(({ code }) => code === 'A000').length, 4)
  for (const { code, result } of responses.filter((response) => response.code !== 'A000')) {
    assert.equal(code, 'A213')
    assert.match(result, /at most 5 files and \d+ bytes/)
  }
  assert.deepEqual([await rowCount(database), (await filesBelow(storeFolder)).length], [4, 4])
  await deleteAllFiles(here, account.id)
  for (let nth = 0; nth < quota.files; nth++) {
    const file = newFile({ bytes: 1 })
    await insertPendingFile(database, file, computeRemovalTime(file))
  }
  assert.equal((await upload()).code, 'A213')
  await deleteAllFiles(here, account.id)
})

test('a deleted file is not found by sends, returns 404, and frees its quota', async () => {
  const keptFile = await upload()
  const { data } = await upload('FRIENDTALK/FI')
  const url = `/v1/file/content/${data!.fileKey}`
  assert.equal((await server.inject(url)).statusCode, 200)
  assert.equal(await deleteFile(here, 99, data!.fileKey!), false)
  assert.equal((await call('DELETE', data!.fileKey!)).code, 'A000')
  assert.equal((await server.inject(url)).statusCode, 404)
  assert.equal(await testBed.lookup.find(data!.fileKey!), null)
  assert.deepEqual(await filesBelow(storeFolder), [keptFile.data!.fileKey])
  assert.equal(await rowCount(database), 1)
  for (const key of [data!.fileKey!, 'x', '..%2Fx']) assert.equal((await call('DELETE', key)).code, 'A217')
})

test('a process with a cached file notices the deletion unless PostgreSQL is unavailable', async () => {
  const { data } = await upload()
  let fails = false
  const failing = new Proxy(database, {
    get: (target, name) =>
      name === 'query' && fails
        ? () => Promise.reject(new Error('unavailable'))
        : (Reflect.get(target, name) as unknown),
  })
  const lookup = createFileLookup(failing, { freshMs: 1 })
  const key = data!.fileKey!
  assert.equal((await lookup.find(key))?.key, key)
  fails = true
  await new Promise((resolve) => setTimeout(resolve, 5))
  assert.equal((await lookup.find(key))?.key, key)
  fails = false
  await call('DELETE', key)
  await waitFor('the deletion', async () => (await lookup.find(key)) === null)
})

test('the lifetime of images with a public URL is a setting; other files keep theirs', async () => {
  const lifetimeDays = async (path: string): Promise<number> => {
    const { data } = await upload(path)
    await call('DELETE', data!.fileKey!)
    return Math.round((Date.parse(`${data!.expired!.replace(' ', 'T')}+09:00`) - Date.now()) / day)
  }
  assert.deepEqual(
    [await lifetimeDays('FRIENDTALK/FI'), await lifetimeDays('RCS'), await lifetimeDays('MMS')],
    [30, 365, 7],
  )
})

test('an upload whose row is deleted in the meantime fails and leaves no bytes', async () => {
  await deleteAllFiles(here, account.id)
  const before = (await filesBelow(storeFolder)).length
  const slow = {
    ...store,
    put: async (key: string, content: Readable) => {
      await store.put(key, content)
      await deleteAllFiles({ ...here, store: { ...store, remove: () => Promise.resolve() } }, account.id)
    },
  }
  const { lookup, spoolFolder } = testBed
  const spool = await openSpool(spoolFolder)
  await spool.write(image)
  const rule = findImageRule('MMS')
  const received = { format: 'jpg', width: 800, height: 600, bytes: image.length } as const
  await assert.rejects(
    registerFile({ database, store: slow, lookup }, account.id, rule, received, spool, new Date()),
    /A214|was deleted while it was stored/,
  )
  await spool.close()
  assert.deepEqual([await rowCount(database), (await filesBelow(storeFolder)).length], [0, before])
})

test('uploads that wait for another process hold no connection that other requests use', async () => {
  await deleteAllFiles(here, account.id)
  const uploads = serveFiles(await createFileTestBed({ database, store, quota, quotaDatabase: openPool(2) }))
  const holder = await database.connect()
  await holder.query('begin')
  await holder.query('select pg_advisory_xact_lock($1, $2)', [quotaLockClass, account.id])
  const headers = { 'content-type': multipartType }
  const payload = multipartBody({ content: image })
  const waiting = Array.from({ length: 3 }, () =>
    uploads.inject({ method: 'POST', url: '/v1/file/MMS', headers, payload }),
  )
  await waitFor('the uploads to wait', async () => {
    const { rows } = await database.query<{ n: number }>(
      `select count(*) as n from pg_locks where locktype = 'advisory' and not granted and classid = $1`,
      [quotaLockClass],
    )
    return rows[0]!.n === 2
  })
  assert.equal(database.waitingCount, 0)
  await holder.query('commit')
  holder.release()
  assert.deepEqual(
    (await Promise.all(waiting)).map(({ statusCode }) => statusCode),
    [200, 200, 200],
  )
  await deleteAllFiles(here, account.id)
})

test('all files of an account are deleted, and none of another', async () => {
  await deleteAllFiles(here, account.id)
  for (let nth = 0; nth < 120; nth++) await insertPendingFile(database, newFile(), new Date(Date.now() + day))
  const other = newFile({ accountId: 99 })
  await insertPendingFile(database, other, computeRemovalTime(other))
  assert.equal(await deleteAllFiles(here, account.id), 120)
  assert.equal(await rowCount(database), 1)
})
