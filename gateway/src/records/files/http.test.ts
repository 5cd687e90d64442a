import assert from 'node:assert/strict'
import { buffer } from 'node:stream/consumers'
import { test } from 'node:test'
import { makeJpeg, makePng } from '../../../test/support/files/images.ts'
import { multipartBody, multipartType, type Part } from '../../../test/support/files/multipart.ts'
import {
  account,
  createFileTestBed,
  filesBelow,
  rowCount,
  serveFiles,
} from '../../../test/support/files/test-bed.ts'

const testBed = await createFileTestBed()
const server = serveFiles(testBed)

interface UploadResponse {
  readonly status: number
  readonly code: string
  readonly result: string
  readonly data: Readonly<Record<string, string>>
}

async function send(path: string, payload: Buffer, contentType = multipartType): Promise<UploadResponse> {
  const response = await server.inject({
    method: 'POST',
    url: `/v1/file/${path}`,
    headers: { 'content-type': contentType, accept: 'application/json' },
    payload,
  })
  return { status: response.statusCode, ...response.json<Omit<UploadResponse, 'status'>>() }
}

const upload = (path: string, content: Buffer, part: Partial<Part> = {}): Promise<UploadResponse> =>
  send(path, multipartBody({ ...part, content }))

const image = makeJpeg(800, 600)

test('MMS returns only a key and its expiry after 7 days', async () => {
  const before = Date.now()
  const { code, result, data } = await upload('MMS', image)
  assert.deepEqual({ code, result }, { code: 'A000', result: 'Success' })
  assert.deepEqual(Object.keys(data), ['fileKey', 'expired'])
  assert.match(data.expired!, /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)
  const lifetime = Date.parse(`${data.expired!.replace(' ', 'T')}+09:00`) - before
  assert.ok(Math.abs(lifetime - 7 * 86_400_000) < 30_000)
})

test('RCS returns media and the key, valid for a year', async () => {
  const { data } = await upload('RCS', image)
  assert.deepEqual(Object.keys(data), ['fileKey', 'expired', 'media'])
  assert.equal(data.media, `maapfile://${data.fileKey}`)
  const lifetime = Date.parse(`${data.expired!.replace(' ', 'T')}+09:00`) - Date.now()
  assert.ok(Math.abs(lifetime - 365 * 86_400_000) < 30_000)
})

test('friendtalk and brand messages return the URL of the image and the key', async () => {
  for (const path of ['FRIENDTALK/FW', 'BRANDMESSAGE/wide']) {
    const { data } = await upload(path, image)
    assert.deepEqual(Object.keys(data), ['fileKey', 'expired', 'imgUrl'])
    assert.equal(data.imgUrl, `https://files.example/v1/file/content/${data.fileKey}`)
  }
})

test('stores exactly the bytes that were sent, and the detected metadata', async () => {
  const sent = makePng(801, 601, 200_000)
  const { data } = await upload('RCS', sent, { fileName: '사진.png', contentType: 'image/png' })
  const file = await testBed.lookup.find(data.fileKey!)
  assert.deepEqual(file, {
    key: data.fileKey,
    accountId: account.id,
    serviceType: 'RCS',
    kind: '',
    format: 'png',
    width: 801,
    height: 601,
    bytes: 200_000,
    expiresAt: file!.expiresAt,
  })
  assert.ok(sent.equals(await buffer(await testBed.store.open(data.fileKey!))))
})

const spellings: [spelling: string, kind: string][] = [
  ['mms', ''],
  ['MMS/', ''],
  ['MMS/MM', ''],
  ['rcs/RM', ''],
  ['FRIENDTALK', 'FI'],
  ['friendtalk/fw/', 'FW'],
  ['BRANDMESSAGE', 'default'],
  ['BRANDMESSAGE/defalut', 'default'],
  ['BRANDMESSAGE/carouselCommerce%20', 'carouselCommerce'],
  ['brandmessage/CAROUSELFEED', 'carouselFeed'],
]
for (const [spelling, kind] of spellings) {
  test(`accepts the path ${spelling}, as published SDKs write it`, async () => {
    const { code, result, data } = await upload(spelling, image)
    assert.equal(code, 'A000', result)
    assert.equal((await testBed.lookup.find(data.fileKey!))!.kind, kind)
  })
}

test('accepts the SDK names of the later items of a wide list', async () => {
  for (const item of ['middle', 'end', 'done']) {
    const { data } = await upload(`BRANDMESSAGE/wideItemList/${item}`, makeJpeg(600, 600))
    assert.equal((await testBed.lookup.find(data.fileKey!))!.kind, 'wideItemList')
  }
})

const wrongPaths: [path: string, code: string][] = [
  ['SMS', 'A219'],
  ['ALIMTALK/AI', 'A219'],
  ['content/x', 'A219'],
  ['..%2FMMS', 'A219'],
  ['toString', 'A219'],
  ['MMS/LM', 'A220'],
  ['MMS/constructor', 'A220'],
  ['RCS/FI', 'A220'],
  ['FRIENDTALK/FT', 'A220'],
  ['FRIENDTALK/default', 'A220'],
  ['FRIENDTALK/FL/first', 'A220'],
  ['BRANDMESSAGE/FI', 'A220'],
  ['BRANDMESSAGE/wide/first', 'A220'],
  ['BRANDMESSAGE/wideItemList/last', 'A220'],
]
for (const [path, code] of wrongPaths) {
  test(`rejects the path ${path} with ${code}`, async () => {
    const response = await upload(path, image)
    assert.deepEqual([response.status, response.code], [400, code])
    assert.match(response.result, /^Invalid or empty '(serviceType|msgType)': /)
  })
}

const exe = Buffer.from('MZ\x90\0 this program cannot be run', 'latin1')
const refusals: [description: string, body: Buffer, code: string][] = [
  [
    'a file name of 41 characters',
    multipartBody({ fileName: `${'a'.repeat(37)}.jpg`, content: image }),
    'A201',
  ],
  ['a truncated image', multipartBody({ content: image.subarray(0, -2) }), 'A202'],
  ['no part at all', multipartBody(), 'A204'],
  ['an empty file', multipartBody({ content: '' }), 'A204'],
  [
    'a form field instead of a file',
    multipartBody({ fileName: null, contentType: null, content: '@/x' }),
    'A208',
  ],
  ['a JPEG sent as PNG', multipartBody({ contentType: 'image/png', content: image }), 'A205'],
  ['a JPEG sent as HTML', multipartBody({ contentType: 'text/html', content: image }), 'A205'],
  [
    'a program named .jpg',
    multipartBody({ fileName: 'a.jpg', contentType: 'image/jpeg', content: exe }),
    'A206',
  ],
  ['a part with another name', multipartBody({ name: 'image', content: image }), 'A213'],
  ['a part without a name', multipartBody({ name: '', content: image }), 'A207'],
  ['a part named __proto__', multipartBody({ name: '__proto__', content: image }), 'A213'],
  ['two files', multipartBody({ content: image }, { content: image }), 'A213'],
  ['three files', multipartBody({ content: image }, { content: image }, { content: image }), 'A213'],
  [
    'a file and a field',
    multipartBody({ content: image }, { name: 'a', fileName: null, content: 'b' }),
    'A213',
  ],
  [
    'many fields',
    multipartBody(...Array.from({ length: 20 }, () => ({ fileName: null, contentType: null, content: 'b' }))),
    'A208',
  ],
  ['a truncated body', multipartBody({ content: image }).subarray(0, -20), 'A213'],
  ['a body truncated within the file', multipartBody({ content: image }).subarray(0, -60), 'A213'],
  ['a body that is not multipart', Buffer.from('hello'), 'A213'],
  ['an empty body', Buffer.alloc(0), 'A204'],
]
for (const [description, body, code] of refusals) {
  test(`refuses ${description} with ${code}`, async () => {
    const response = await send('MMS', body)
    assert.deepEqual([response.status, response.code], [400, code], response.result)
    assert.deepEqual(Object.keys(response).sort(), ['code', 'result', 'status'])
  })
}

test('refuses every other content type with A213 and names the right one', async () => {
  for (const contentType of [
    'application/json',
    'image/jpeg',
    'text/plain',
    'multipart/form-data',
    'multipart/mixed',
  ]) {
    const { status, code, result } = await send('MMS', image, contentType)
    assert.deepEqual([status, code], [400, 'A213'], contentType)
    assert.match(result, /multipart/)
  }
})

test('accepts a file name of 40 characters, counted after NFC', async () => {
  for (const name of [`${'a'.repeat(36)}.jpg`, `${'각'.normalize('NFD').repeat(36)}.jpg`, '']) {
    assert.equal((await upload('MMS', image, { fileName: name })).code, 'A000', name)
  }
})

test('accepts an image with a type that is correct or declares no format', async () => {
  for (const contentType of [
    'image/jpeg',
    'IMAGE/JPG',
    'image/pjpeg',
    'image/jpeg; charset=utf-8',
    'image/*',
    null,
  ]) {
    assert.equal((await upload('MMS', image, { contentType })).code, 'A000', String(contentType))
  }
})

test('accepts a PNG from the SDK that names every upload image.jpg', async () => {
  const part = { fileName: 'image.jpg', contentType: 'image/jpeg' }
  assert.equal((await upload('RCS', makePng(10, 10), part)).code, 'A000')
})

test('returns A214 if the file cannot be stored; the next upload succeeds', async (t) => {
  const put = t.mock.method(testBed.store, 'put', () => Promise.reject(new Error('no space left')))
  const { status, code, result } = await upload('MMS', image)
  assert.deepEqual([status, code], [500, 'A214'])
  assert.match(result, /^Upload failed: /)
  put.mock.restore()
  assert.equal((await upload('MMS', image)).code, 'A000')
  await testBed.database.query('delete from files where not stored')
})

test('stores nothing of a refused upload: no row, no file, no temporary file', async () => {
  const before = [await rowCount(testBed.database), (await filesBelow(testBed.storeFolder)).length]
  for (const [, body] of refusals) await send('MMS', body)
  await upload('MMS', makeJpeg(1501, 10))
  assert.deepEqual([await rowCount(testBed.database), (await filesBelow(testBed.storeFolder)).length], before)
  assert.equal(before[0], before[1])
  assert.deepEqual(await filesBelow(testBed.spoolFolder), [])
})
