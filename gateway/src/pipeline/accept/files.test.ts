import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { createTestBroker } from '../../../test/support/engines/broker.ts'
import { createTestDatabase } from '../../../test/support/engines/database.ts'
import { createTestServer, type Envelope } from '../../../test/support/http/server.ts'
import { createFileKey, type FileMetadata } from '../../records/files/file.ts'
import { insertPendingFile, markStored } from '../../records/files/queries.ts'

const { database } = await createTestDatabase()
const testBroker = await createTestBroker()
const { broker, topology } = testBroker
const api = await createTestServer({ database, broker, topology, publicFileUrl: 'http://files.test/' })
const [account, otherAccount] = [await api.account(), await api.account()]
const inAnHour = new Date(Date.now() + 3_600_000)
const to = '01012345678'
const from = '0234567890'

async function upload(overrides: Partial<FileMetadata> = {}): Promise<string> {
  const file: FileMetadata = {
    key: createFileKey(new Date()),
    accountId: account.id,
    serviceType: 'MMS',
    kind: '',
    format: 'jpg',
    width: 640,
    height: 480,
    bytes: 1_000,
    expiresAt: inAnHour,
    ...overrides,
  }
  await insertPendingFile(database, file, inAnHour)
  await markStored(database, file.key, inAnHour)
  return file.key
}

const past = new Date(Date.now() - 1_000)
const send = async (channel: string, body: object): Promise<Envelope> =>
  (await api.call(account, 'POST', `/v1/send/${channel}`, body)).body
const mms = (...fileKey: string[]): object => ({ from, to, text: 'hello', fileKey })
const rcs = (media: string): object => ({
  from,
  to,
  formatId: 'SMwThM00',
  brandKey: 'k',
  content: { standalone: { title: 't', text: 'hello', media } },
})
const friendtalk = (imgUrl: string): object => ({ senderKey: 'k', msgType: 'FI', to, text: 'hello', imgUrl })
/** The size in pixels that SMwThM00 requires of its image. */
const medium = { width: 568, height: 336 }
const media = (key: string): string => `maapfile://${key}`
const address = (key: string): string => `http://files.test/${key}`

function assertRefused(body: { code: string; result: string }, path: string): void {
  assert.equal(body.code, 'A217', body.result)
  assert.ok(body.result.includes(`'${path}'`), body.result)
}

const wrong: [description: string, overrides: Partial<FileMetadata>][] = [
  ["another account's", { accountId: otherAccount.id }],
  ['an expired', { expiresAt: past }],
]
for (const [description, overrides] of [...wrong, ['an RCS', { serviceType: 'RCS' }] as const]) {
  test(`mms rejects ${description} file and names it`, async () => {
    assertRefused(await send('mms', mms(await upload(), await upload(overrides))), 'fileKey[1]')
  })
}
for (const [description, overrides] of [...wrong, ['an MMS', { serviceType: 'MMS' }] as const]) {
  test(`rcs rejects ${description} file`, async () => {
    const key = await upload({ serviceType: 'RCS', ...medium, ...overrides })
    assertRefused(await send('rcs', rcs(media(key))), 'content.standalone.media')
  })
  test(`friendtalk rejects ${description} file`, async () => {
    const key = await upload({ serviceType: 'FRIENDTALK', kind: 'FI', ...overrides })
    assertRefused(await send('friendtalk', friendtalk(address(key))), 'imgUrl')
  })
}

for (const key of ['nothing', '', '../../etc/passwd', createFileKey(new Date())]) {
  test(`mms rejects the key '${key.slice(0, 17)}', which was never issued`, async () => {
    assertRefused(await send('mms', mms(key)), 'fileKey[0]')
  })
}

test("another account's file gets the same response as one that does not exist", async () => {
  const theirs = await send('mms', mms(await upload({ accountId: otherAccount.id })))
  const nobodys = await send('mms', mms(createFileKey(new Date())))
  assert.deepEqual(theirs, nobodys)
})

test('a file whose content was never stored does not exist', async () => {
  const key = createFileKey(new Date())
  const file = { accountId: account.id, serviceType: 'MMS', kind: '', format: 'jpg' } as const
  const size = { width: 1, height: 1, bytes: 1, expiresAt: inAnHour }
  await insertPendingFile(database, { key, ...file, ...size }, inAnHour)
  assertRefused(await send('mms', mms(key)), 'fileKey[0]')
})

test('RCS media and URLs of the carrier are accepted: only the carrier can check them', async () => {
  const body = await send('rcs', rcs('maapfile://BR.brand.20260101000000.001'))
  assert.equal(body.code, 'A000', body.result)
  const theirs = await send('friendtalk', friendtalk('https://mud-kage.kakao.com/dn/a/b/img_l.jpg'))
  assert.equal(theirs.code, 'A000', theirs.result)
})

test('the file of a fallback is checked, with the path of the fallback', async () => {
  const body = {
    ...rcs('maapfile://BR.brand.20260101000000.001'),
    fallback: { type: 'MMS', text: 'hello', fileKey: [await upload({ expiresAt: past })] },
  }
  assertRefused(await send('rcs', body), 'fallback.fileKey[0]')
})

test('a file of a flow rejects only its destination and is named with its path', async () => {
  const body = await send('omni', {
    destinations: [
      { to, replaceWords: { key: await upload() } },
      { to, replaceWords: { key: 'nothing' } },
    ],
    messageFlow: [{ sms: { from, text: 'hello' } }, { mms: { from, text: 'hello', fileKey: ['#{key}'] } }],
  })
  const { destinations } = body.data as { destinations: { code: string; result: string }[] }
  assert.deepEqual(
    destinations.map(({ code }) => code),
    ['A000', 'A217'],
  )
  assertRefused(destinations[1]!, 'messageFlow[1].mms.fileKey[0]')
})

suite('the images of an RCS carousel', () => {
  const sized = async (width: number, height: number, bytes = 1_000): Promise<string> =>
    media(await upload({ serviceType: 'RCS', width, height, bytes }))
  const base = { from, to, brandKey: 'k' }
  const carousel = (...images: string[]) => ({
    ...base,
    formatId: `CMwShS0${images.length}00`,
    content: { carousel: images.map((image) => ({ title: 't', media: image })) },
  })
  const refuses = async (body: object, code: string, path: string, reason: RegExp): Promise<void> => {
    const { code: found, result } = await send('rcs', body)
    assert.equal(found, code, result)
    assert.ok(result.startsWith(`Invalid or empty '${path}': `), result)
    assert.match(result, reason)
  }

  test('must have one size and at most 1 MB together, each counted once', async () => {
    const half = await sized(360, 336, 524_288)
    const other = await sized(360, 336, 524_288)
    const drop = await sized(360, 336, 1)
    assert.equal((await send('rcs', carousel(half, other))).code, 'A000')
    assert.equal((await send('rcs', carousel(half, half, other))).code, 'A000')
    await refuses(carousel(half, other, drop), 'A200', 'content.carousel[2].media', /1048576.*found 1048577/)
    await refuses(carousel(half, await sized(696, 504)), 'A203', 'content.carousel[1].media', /360x336/)
  })
})

suite('the images of a brand message', () => {
  const link = 'https://shop.example'
  const button = [{ type: 'WL', name: 'open', urlMobile: link }]
  const card = (imgUrl: string) => ({ header: 'h', message: 'm', attachment: { image: { imgUrl }, button } })
  const item = (imgUrl: string) => ({ title: 't', imgUrl, urlMobile: link })
  const content: Readonly<Record<string, (imgUrl: string, first: string) => object>> = {
    FW: (imgUrl) => ({ text: 'x', attachment: { image: { imgUrl } } }),
    FL: (imgUrl, first) => ({
      header: 'h',
      attachment: { item: { list: [first, imgUrl, imgUrl].map(item) } },
    }),
    FC: (imgUrl) => ({ carousel: { list: [card(imgUrl), card(imgUrl)] } }),
  }
  const sendBrand = async (
    msgType: 'FW' | 'FL' | 'FC',
    imgUrl: string,
    first = imgUrl,
  ): Promise<{ code: string; result: string }> => {
    const brandmessage = { senderKey: 'k', msgType, sendType: 'free', ...content[msgType]!(imgUrl, first) }
    const body = await send('omni', { destinations: [{ to }], messageFlow: [{ brandmessage }] })
    return (body.data as { destinations: { code: string; result: string }[] }).destinations[0]!
  }

  test('must be wide in the first item of a list and square in the others', async () => {
    const sized = async (width: number, height: number): Promise<string> =>
      address(await upload({ serviceType: 'BRANDMESSAGE', kind: 'default', width, height }))
    const [wide, square, tall] = [await sized(800, 400), await sized(600, 600), await sized(600, 800)]
    assert.equal((await sendBrand('FL', square, wide)).code, 'A000')
    const swapped = await sendBrand('FL', wide, square)
    assert.equal(swapped.code, 'A203')
    assert.match(swapped.result, /item\.list\[0\]\.imgUrl'/)
    assert.equal((await sendBrand('FW', square)).code, 'A000')
    assert.equal((await sendBrand('FW', tall)).code, 'A203')
    assert.equal((await sendBrand('FC', tall)).code, 'A000')
  })
})

suite('a reference that cannot be a file is rejected', () => {
  test('imgUrl is an address or the key of a file', async () => {
    const key = await upload({ serviceType: 'FRIENDTALK', kind: 'FI' })
    assert.equal((await send('friendtalk', friendtalk(key))).code, 'A000')
    for (const text of [
      'picture',
      'picture.jpg',
      'files.test/1',
      'ftp://files.test/1',
      'https://',
      'https:// x',
    ])
      assert.deepEqual(await codeAndField(friendtalk(text)), ['A513', true], text)
    const unknown = createFileKey(new Date())
    const theirs = await upload({ serviceType: 'FRIENDTALK', kind: 'FI', accountId: otherAccount.id })
    const mmsKey = await upload()
    for (const text of [unknown, theirs, mmsKey, address('typo'), address(unknown), address(`${key}x`)])
      assert.deepEqual(await codeAndField(friendtalk(text)), ['A217', true], text)
  })

  test('RCS media is a file of the account, or named as carriers name them', async () => {
    for (const text of ['typo', createFileKey(new Date()), 'BR', 'br.x.1', 'a/b.jpg'])
      assertRefused(await send('rcs', rcs(media(text))), 'content.standalone.media')
  })

  async function codeAndField(body: object): Promise<[string, boolean]> {
    const { code, result } = await send('friendtalk', body)
    return [code, result.includes("'imgUrl'")]
  }
})

test('a message whose file is rejected never reaches the queue', async () => {
  const before = await broker.depth(topology.accepted.normal)
  await send('mms', mms('nothing'))
  assert.equal(await broker.depth(topology.accepted.normal), before)
})
