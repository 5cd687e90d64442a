/** The workspace of file tests: a database, a store, a spool folder and a server, removed when the test file ends. */
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { atEnd } from '../cleanup.ts'
import { asAccount } from '../as-account.ts'
import { createTestDatabase } from '../database.ts'
import { quietLog, testMetrics } from '../silent-log.ts'
import { createServer } from '../../../src/api/server/server.ts'
import { defaultSettings, type Account } from '../../../src/accounts/account.ts'
import type { Database } from '../../../src/platform/database.ts'
import { createTimeFormat } from '../../../src/contract/times.ts'
import { openDiskStore } from '../../../src/files/disk.ts'
import { createFileKey, type FileMetadata } from '../../../src/files/file.ts'
import { fileContentRoutes } from '../../../src/files/content.ts'
import { fileRoutes, type FileRoutesOptions } from '../../../src/files/http.ts'
import { createKeyMac } from '../../../src/files/key-mac.ts'
import { createFileLookup } from '../../../src/files/lookup.ts'
import { createPublicLookup } from '../../../src/files/public-lookup.ts'

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
  atEnd(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/** Every file below a folder, without the folders. */
export async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).map((entry) => entry.name)
}

export type Place = Awaited<ReturnType<typeof createPlace>>

export async function createPlace(overrides: Partial<FileRoutesOptions> = {}) {
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
        publicFileBase: 'https://files.example/v1/file/content',
        ...overrides,
      }),
    ),
    contentRoutes: fileContentRoutes({
      lookup: createPublicLookup(lookup, keyMac),
      store,
      networkOf: () => 'here',
    }),
    keyMac,
  }
}

/** A server of the account's requests, closed when the test file ends. */
export function serveFiles({ routes, contentRoutes }: Pick<Place, 'routes' | 'contentRoutes'>) {
  const server = createServer({
    log: quietLog,
    metrics: testMetrics(),
    authenticate: (request, _reply, done) => {
      request.account = account
      done()
    },
    open: [contentRoutes],
    authenticated: [routes],
  })
  atEnd(() => server.close())
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
