import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import { addCleanup } from '../../../test/support/cleanup.ts'
import { countStatements } from '../../../test/support/engines/count-statements.ts'
import { createFileTestBed, newFile } from '../../../test/support/files/test-bed.ts'
import { silentLog, testMetrics } from '../../../test/support/silent-log.ts'
import { createServer } from '../../edge/api/server/server.ts'
import { fileContentRoutes } from './storage/content.ts'
import { createFileKey } from './file.ts'
import { isFileKey } from '../../contract/file-key.ts'
import { createKeyMac } from './key-mac.ts'
import { createFileLookup } from './lookup.ts'
import { createPublicLookup } from './public-lookup.ts'
import { insertPendingFile, markStored } from './queries.ts'
import { computeRemovalTime } from './storage/removal.ts'

const testBed = await createFileTestBed()
const counter = countStatements(testBed.database)
const server = createServer({
  log: silentLog,
  metrics: testMetrics(),
  authenticate: (_request, _reply, done) => done(),
  open: [
    fileContentRoutes({
      lookup: createPublicLookup(createFileLookup(counter.database), testBed.keyMac),
      store: testBed.store,
      getNetwork: () => 'here',
    }),
  ],
  authenticated: [],
})
addCleanup(() => server.close())

const get = async (key: string): Promise<number> =>
  (await server.inject({ method: 'GET', url: `/v1/file/content/${key}` })).statusCode

async function store(key: string): Promise<string> {
  const file = newFile({ key, serviceType: 'FRIENDTALK', kind: 'FW', bytes: 5 })
  await insertPendingFile(testBed.database, file, computeRemovalTime(file))
  await testBed.store.put(file.key, Readable.from([Buffer.from('bytes')]))
  await markStored(testBed.database, file.key, computeRemovalTime(file))
  return key
}

test('a key proves itself; a changed letter or another secret does not', () => {
  const key = createFileKey(new Date(), '0A', testBed.keyMac)
  assert.ok(isFileKey(key) && testBed.keyMac.proves(key))
  assert.equal(key.slice(17, 20), 'C0A')
  const changed = key.slice(0, 25) + (key[25] === 'A' ? 'B' : 'A') + key.slice(26)
  assert.equal(testBed.keyMac.proves(changed), false)
  assert.equal(createKeyMac('another secret').proves(key), false)
  assert.equal(testBed.keyMac.proves(createFileKey(new Date())), false)
})

test('a flood of invented keys is limited, and images with a valid key are served', async () => {
  const key = await store(createFileKey(new Date(), '00', testBed.keyMac))
  const before = counter.statements()
  const flood = Promise.all(Array.from({ length: 500 }, () => get(createFileKey(new Date()))))
  assert.equal(await get(key), 200)
  const statuses = await flood
  const refused = statuses.filter((status) => status === 503).length
  assert.ok(refused > 400, `${refused} refused`)
  assert.equal(statuses.length - refused, statuses.filter((status) => status === 404).length)
  assert.ok(counter.statements() - before <= 100, `${counter.statements() - before} statements for 500 keys`)
})

test('a key from another secret is served; an impossible key is not looked up', async () => {
  assert.equal(await get(await store(createFileKey(new Date()))), 200)
  const before = counter.statements()
  for (const time of [new Date('2020-01-01'), new Date(Date.now() + 5 * 86_400_000)])
    assert.equal(await get(createFileKey(time)), 404)
  assert.equal(counter.statements(), before)
})
