/**
 * Sets up a database, a store, a spool folder and a server for file tests, removed when the test file ends.
 */
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { addCleanup } from '../cleanup.ts'
import { asAccount } from '../as-account.ts'
import { createTestDatabase } from '../engines/database.ts'
import { silentLog, testMetrics } from '../silent-log.ts'
import { createServer } from '../../../src/edge/api/server/server.ts'
import { defaultSettings, type Account } from '../../../src/identity/accounts/account.ts'
import type { Database } from '../../../src/platform/database/database.ts'
import { createTimeFormat } from '../../../src/contract/times.ts'
import { openDiskStore } from '../../../src/records/files/storage/disk.ts'
import { createFileKey, type FileMetadata } from '../../../src/records/files/file.ts'
import { fileContentRoutes } from '../../../src/records/files/storage/content.ts'
import { fileRoutes, type FileRoutesOptions } from '../../../src/records/files/http.ts'
import { createKeyMac } from '../../../src/records/files/key-mac.ts'
import { createFileLookup } from '../../../src/records/files/lookup.ts'
import { createPublicLookup } from '../../../src/records/files/public-lookup.ts'

export const account: Account = {
  id: 7,
  clientId: 'files',
  name: 'A test account',
  blocked: false,
  tokenEpoch: 1,
  ...defaultSettings,
}

export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'postern-files-'))
  addCleanup(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/** Returns the names of all files below a folder, without the folders. */
export async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).map((entry) => entry.name)
}

export type FileTestBed = Awaited<ReturnType<typeof createFileTestBed>>

export async function createFileTestBed(overrides: Partial<FileRoutesOptions> = {}) {
  const { database, url } = await createTestDatabase()
  const storeFolder = await temporaryFolder()
  const spoolFolder = await temporaryFolder()
  const store = overrides.store ?? (await openDiskStore(storeFolder))
  const lookup = createFileLookup(database)
  const keyMac = createKeyMac('a secret of the tests')
  return {
    database,
    url,
    store,
    lookup,
    storeFolder,
    spoolFolder,
    routes: asAccount(
      () => account,
      fileRoutes({
        database,
        store,
        lookup,
        spoolFolder,
        keyMac,
        formatTime: createTimeFormat('Asia/Seoul'),
        publicFileUrl: 'https://files.example/v1/file/content',
        ...overrides,
      }),
    ),
    contentRoutes: fileContentRoutes({
      lookup: createPublicLookup(lookup, keyMac),
      store,
      getNetwork: () => 'here',
    }),
    keyMac,
  }
}

/** Starts a server for requests of the account, closed when the test file ends. */
export function serveFiles({ routes, contentRoutes }: Pick<FileTestBed, 'routes' | 'contentRoutes'>) {
  const server = createServer({
    log: silentLog,
    metrics: testMetrics(),
    authenticate: (request, _reply, done) => {
      request.account = account
      done()
    },
    open: [contentRoutes],
    authenticated: [routes],
  })
  addCleanup(() => server.close())
  return server
}

export function newFile(overrides: Partial<FileMetadata> = {}): FileMetadata {
  return {
    key: createFileKey(new Date()),
    accountId: account.id,
    serviceType: 'MMS',
    kind: '',
    format: 'jpg',
    width: 640,
    height: 480,
    bytes: 1_000,
    expiresAt: new Date(Date.now() + 3_600_000),
    ...overrides,
  }
}

export async function rowCount(database: Database): Promise<number> {
  const result = await database.query<{ n: number }>('select count(*) as n from files')
  return result.rows[0]!.n
}
