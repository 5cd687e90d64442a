/** Uploads: the request, the answer, and how long a file may be used. */
import assert from 'node:assert/strict'
import { createFileKey } from '../../../src/files/file.ts'
import { makeJpeg } from '../../support/files/images.ts'
import { accepts, checkRefusal, from, mmsFile, recipient, refuses } from '../api-assertions.ts'
import { friendtalk, sms } from '../request-bodies.ts'
import { prove } from '../prove.ts'
import { account, sql } from '../installation.ts'
import { relay, relayedTo, reportRelayed } from '../relay.ts'
import { rejectsUpload, acceptsUpload } from '../uploads.ts'

const picture = makeJpeg(640, 480, 2_000)

prove('upload.part', async () => {
  const api = await account('main')
  await acceptsUpload('MMS', picture)
  checkRefusal(await api.upload('MMS', { name: 'image', content: picture }), 400, 'A213')
  checkRefusal(await api.upload('MMS', { content: '' }), 400, 'A204')
  checkRefusal(await api.post('/v1/file/MMS', sms()), 400, 'A213')
})

prove('upload.path', async () => {
  await acceptsUpload('MMS', picture)
  await acceptsUpload('RCS', picture)
  await acceptsUpload('FRIENDTALK/FI', makeJpeg(800, 400))
  await rejectsUpload('PAGER', picture, 'A219')
  await rejectsUpload('FRIENDTALK/XX', picture, 'A220')
})

prove('upload.answer', async () => {
  for (const path of ['MMS', 'RCS', 'FRIENDTALK/FI']) {
    const content = makeJpeg(800, 400)
    const { body } = await (await account('main')).upload(path, { content })
    assert.deepEqual(Object.keys(body).sort(), ['code', 'data', 'result'])
    for (const field of ['fileKey', 'expired'] as const)
      assert.equal(typeof body.data![field], 'string', path)
  }
})

prove('file.fileKey', async () => {
  const key = await mmsFile()
  await accepts('mms', { from, to: recipient(), text: 'words', fileKey: [key] })
  await refuses('mms', { from, to: recipient(), text: 'words', fileKey: [`${key}X`] }, 'A217', 'fileKey[0]')
})

prove('file.expired', async () => {
  const { body } = await (await account('main')).upload('MMS', { content: picture })
  const { expired } = body.data!
  assert.match(expired!, /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/)
  assert.ok(Date.parse(`${expired!.replace(' ', 'T')}+09:00`) > Date.now(), expired)
})

async function fileName(): Promise<void> {
  await acceptsUpload('MMS', picture, `${'a'.repeat(36)}.jpg`)
  await rejectsUpload('MMS', picture, 'A201', `${'a'.repeat(37)}.jpg`)
  await acceptsUpload('MMS', picture, `${'가'.repeat(36)}.jpg`)
  await rejectsUpload('MMS', picture, 'A201', `${'가'.repeat(37)}.jpg`)
}
prove('upload.name', fileName)
prove('limit.file-name', fileName)

/** The same image, registered so long ago that its time has passed. */
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
  const key = await mmsFile()
  const message = (fileKey: string): object => ({ from, to: recipient(), text: 'words', fileKey: [fileKey] })
  await accepts('mms', message(key))
  await accepts('mms', message(key))
  await refuses('mms', message(await expiredCopy(key)), 'A217', 'fileKey[0]')
  // Both messages leave with the file.
  const api = await account('relayed')
  const own = (await api.upload('MMS', { fileName: 'a.jpg', content: picture })).body.data!.fileKey!
  const [one, other] = [recipient(), recipient()]
  for (const to of [one, other]) await relay('mms', { from, to, text: 'words', fileKey: [own] })
  const [first, second] = [await relayedTo(one), await relayedTo(other)]
  assert.match(String((first.content.fileKey as string[])[0]), /^FILE\d+$/)
  assert.deepEqual(second.content.fileKey, first.content.fileKey)
  for (const message of [first, second]) await reportRelayed(message)
  const image = { fileName: 'a.jpg', content: makeJpeg(800, 400) }
  const { data } = (await (await account('main')).upload('FRIENDTALK/FI', image)).body
  const pictured = (imgUrl: string): object => friendtalk({ msgType: 'FI', imgUrl })
  await accepts('friendtalk', pictured(data!.imgUrl!))
  await accepts('friendtalk', pictured(data!.imgUrl!))
  await accepts('friendtalk', pictured(data!.fileKey!))
  await refuses('friendtalk', pictured(`${data!.fileKey!}X`), 'A513', 'imgUrl')
  const old = data!.imgUrl!.replace(data!.fileKey!, await expiredCopy(data!.fileKey!))
  await refuses('friendtalk', pictured(old), 'A217', 'imgUrl')
})
