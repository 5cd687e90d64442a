import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import { addCleanup } from '../../../../test/support/cleanup.ts'
import { silentLog, testMetrics } from '../../../../test/support/silent-log.ts'
import { createServer } from '../../../edge/api/server/server.ts'
import { createFileKey, type FileMetadata } from '../file.ts'
import { insertPendingFile, markStored } from '../queries.ts'
import { retentionAfterExpiryMs, computeRemovalTime } from './removal.ts'
import { createFileTestBed, newFile } from '../../../../test/support/files/test-bed.ts'

const testBed = await createFileTestBed()
const server = createServer({
  log: silentLog,
  metrics: testMetrics(),
  authenticate: (_request, _reply, done) => done(new Error('the image must not need a token')),
  open: [testBed.contentRoutes],
  authenticated: [],
})
addCleanup(() => server.close())

const content = Buffer.from('the bytes of an image')

async function store(overrides: Partial<FileMetadata>): Promise<string> {
  const file = newFile({ serviceType: 'FRIENDTALK', kind: 'FW', bytes: content.length, ...overrides })
  await insertPendingFile(testBed.database, file, computeRemovalTime(file))
  await testBed.store.put(file.key, Readable.from([content]))
  await markStored(testBed.database, file.key, computeRemovalTime(file))
  return file.key
}

const get = (key: string) => server.inject({ method: 'GET', url: `/v1/file/content/${key}` })

test('serves the image with its own type, protected against sniffing', async () => {
  for (const [format, type] of [
    ['jpg', 'image/jpeg'],
    ['png', 'image/png'],
  ] as const) {
    const { statusCode, headers, rawPayload } = await get(await store({ format }))
    assert.equal(statusCode, 200)
    assert.ok(content.equals(rawPayload))
    assert.equal(headers['content-type'], type)
    assert.equal(headers['content-length'], String(content.length))
    assert.equal(headers['x-content-type-options'], 'nosniff')
    assert.match(String(headers['content-security-policy']), /sandbox/)
    assert.match(String(headers['cache-control']), /^public, max-age=3[56]\d\d, immutable$/)
  }
})

test('serves HEAD without the bytes', async () => {
  const key = await store({})
  const { statusCode, headers, rawPayload } = await server.inject({
    method: 'HEAD',
    url: `/v1/file/content/${key}`,
  })
  assert.deepEqual([statusCode, rawPayload.length], [200, 0])
  assert.equal(headers['content-length'], String(content.length))
})

test('serves a file that has just expired, for messages accepted before', async () => {
  const { statusCode, headers } = await get(await store({ expiresAt: new Date(Date.now() - 60_000) }))
  assert.deepEqual([statusCode, headers['cache-control']], [200, 'public, max-age=0, immutable'])
})

test('returns 404 in the envelope for any other key or path', async () => {
  const longAgo = new Date(Date.now() - retentionAfterExpiryMs - 1_000)
  const keys = [
    createFileKey(new Date()),
    await store({ serviceType: 'MMS', kind: '' }),
    await store({ serviceType: 'RCS', kind: '' }),
    await store({ expiresAt: longAgo }),
    'x',
    '..%2F..%2Fetc%2Fpasswd',
    '%00',
  ]
  for (const key of keys) {
    const response = await get(key)
    assert.equal(response.statusCode, 404, key)
    assert.equal(response.json<{ code: string }>().code, 'A300')
  }
})

test('serves no file that is not stored completely', async () => {
  const file = newFile({ serviceType: 'FRIENDTALK', kind: 'FW' })
  await insertPendingFile(testBed.database, file, computeRemovalTime(file))
  assert.equal((await get(file.key)).statusCode, 404)
})
