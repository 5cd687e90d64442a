import assert from 'node:assert/strict'
import { createFileKey } from '../../../../src/records/files/file.ts'
import { makeJpeg } from '../../../support/files/images.ts'
import {
  assertAccepted,
  assertError,
  from,
  uploadMmsImage,
  nextRecipient,
  assertRejected,
} from '../api-assertions.ts'
import { findSubmittedContent } from '../carrier.ts'
import { card, friendtalk, sms } from '../request-bodies.ts'
import { prove } from '../prove.ts'
import { getAccountClient, sql } from '../installation.ts'
import { sendRelayed, waitForRelayed, reportRelayed } from '../relay.ts'
import { assertUploadRejected, assertUploadAccepted } from '../uploads.ts'

const mmsImage = makeJpeg(640, 480, 2_000)

prove('upload.part', async () => {
  const api = await getAccountClient('main')
  await assertUploadAccepted('MMS', mmsImage)
  assertError(await api.upload('MMS', { name: 'image', content: mmsImage }), 400, 'A213')
  assertError(await api.upload('MMS', { content: '' }), 400, 'A204')
  assertError(await api.post('/v1/file/MMS', sms()), 400, 'A213')
})

prove('upload.content-type', async () => {
  const api = await getAccountClient('main')
  const jpeg = new Uint8Array(mmsImage)
  for (const [type, body] of [
    ['image/jpeg', jpeg],
    ['application/octet-stream', jpeg],
    ['application/json', JSON.stringify(sms())],
    ['application/x-www-form-urlencoded', 'file=a.jpg'],
    ['multipart/mixed; boundary=x', '--x--'],
    [undefined, jpeg],
  ] as const) {
    const headers: Record<string, string> = type === undefined ? {} : { 'content-type': type }
    assertError(await api.request('POST', '/v1/file/MMS', { headers, body }), 400, 'A213')
  }
})

prove('upload.path', async () => {
  for (const path of ['MMS', 'MMS/MM', 'RCS', 'RCS/RM']) await assertUploadAccepted(path, mmsImage)
  await assertUploadAccepted('FRIENDTALK/FI', makeJpeg(800, 400))
  await assertUploadRejected('PAGER', mmsImage, 'A219')
  await assertUploadRejected('FRIENDTALK/XX', mmsImage, 'A220')
})

prove('upload.answer', async () => {
  for (const path of ['MMS', 'RCS', 'FRIENDTALK/FI']) {
    const content = makeJpeg(800, 400)
    const { body } = await (await getAccountClient('main')).upload(path, { content })
    assert.deepEqual(Object.keys(body).sort(), ['code', 'data', 'result'])
    for (const field of ['fileKey', 'expired'] as const)
      assert.equal(typeof body.data![field], 'string', path)
  }
})

prove('file.fileKey', async () => {
  const key = await uploadMmsImage()
  await assertAccepted('mms', { from, to: nextRecipient(), text: 'words', fileKey: [key] })
  await assertRejected(
    'mms',
    { from, to: nextRecipient(), text: 'words', fileKey: [`${key}X`] },
    'A217',
    'fileKey[0]',
  )
  const { body } = await (
    await getAccountClient('main')
  ).upload('RCS', { content: makeJpeg(568, 528, 2_000) })
  const { fileKey, media } = body.data!
  const rcsKey = (await assertAccepted('rcs', card('SMwThT00', { title: 'title', media: fileKey }))).body
    .msgKey!
  assert.deepEqual((await findSubmittedContent(rcsKey))['body'], { title: 'title', media })
})

prove('file.expired', async () => {
  const { body } = await (await getAccountClient('main')).upload('MMS', { content: mmsImage })
  const { expired } = body.data!
  assert.match(expired!, /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/)
  assert.ok(Date.parse(`${expired!.replace(' ', 'T')}+09:00`) > Date.now(), expired)
})

async function fileName(): Promise<void> {
  await assertUploadAccepted('MMS', mmsImage, `${'a'.repeat(36)}.jpg`)
  await assertUploadRejected('MMS', mmsImage, 'A201', `${'a'.repeat(37)}.jpg`)
  await assertUploadAccepted('MMS', mmsImage, `${'가'.repeat(36)}.jpg`)
  await assertUploadRejected('MMS', mmsImage, 'A201', `${'가'.repeat(37)}.jpg`)
}
prove('upload.name', fileName)
prove('limit.file-name', fileName)

/** Copies the file row under a key of 30 days ago, as expired a second ago. Returns the key. */
async function expiredCopy(key: string): Promise<string> {
  const old = createFileKey(new Date(Date.now() - 30 * 86_400_000))
  await sql(
    `insert into files (key, account_id, service_type, kind, format, width, height, bytes, expires_at, stored, remove_at)
     select $2, account_id, service_type, kind, format, width, height, bytes, now() - interval '1 second', true, remove_at
       from files where key = $1`,
    [key, old],
  )
  return old
}

prove('upload.reuse', async () => {
  const key = await uploadMmsImage()
  const message = (fileKey: string): object => ({
    from,
    to: nextRecipient(),
    text: 'words',
    fileKey: [fileKey],
  })
  await assertAccepted('mms', message(key))
  await assertAccepted('mms', message(key))
  await assertRejected('mms', message(await expiredCopy(key)), 'A217', 'fileKey[0]')
  // Both messages are submitted with the file.
  const api = await getAccountClient('relayed')
  const relayedKey = (await api.upload('MMS', { fileName: 'a.jpg', content: mmsImage })).body.data!.fileKey!
  const [one, other] = [nextRecipient(), nextRecipient()]
  for (const to of [one, other]) await sendRelayed('mms', { from, to, text: 'words', fileKey: [relayedKey] })
  const [first, second] = [await waitForRelayed(one), await waitForRelayed(other)]
  assert.match(String((first.content.fileKey as string[])[0]), /^FILE\d+$/)
  assert.deepEqual(second.content.fileKey, first.content.fileKey)
  for (const message of [first, second]) await reportRelayed(message)
  const image = { fileName: 'a.jpg', content: makeJpeg(800, 400) }
  const { data } = (await (await getAccountClient('main')).upload('FRIENDTALK/FI', image)).body
  const pictured = (imgUrl: string): object => friendtalk({ msgType: 'FI', imgUrl })
  await assertAccepted('friendtalk', pictured(data!.imgUrl!))
  await assertAccepted('friendtalk', pictured(data!.imgUrl!))
  await assertAccepted('friendtalk', pictured(data!.fileKey!))
  await assertRejected('friendtalk', pictured(`${data!.fileKey!}X`), 'A513', 'imgUrl')
  const old = data!.imgUrl!.replace(data!.fileKey!, await expiredCopy(data!.fileKey!))
  await assertRejected('friendtalk', pictured(old), 'A217', 'imgUrl')
})
