import assert from 'node:assert/strict'
import { makeJpeg } from '../../../support/files/images.ts'
import {
  assertAccepted,
  assertRejected,
  nextRecipient,
  waitForReports,
  writtenForms,
} from '../api-assertions.ts'
import { alimtalk, friendtalk } from '../request-bodies.ts'
import { runOnce } from '../once.ts'
import { prove } from '../prove.ts'
import { getAccountClient } from '../installation.ts'

type Make = (change?: object) => object

function proveShared(channel: string, message: Make): void {
  prove(`${channel}.senderKey`, async () => {
    await assertAccepted(channel, message({ senderKey: 'k'.repeat(40) }))
    for (const wrong of [undefined, '', 'k'.repeat(41), 40]) {
      await assertRejected(channel, message({ senderKey: wrong }), 'A502', 'senderKey')
    }
  })
  prove(`${channel}.to`, async () => {
    for (const to of writtenForms(nextRecipient())) await assertAccepted(channel, message({ to }))
    for (const wrong of [undefined, '', 'letters', '+14155550001', 1]) {
      await assertRejected(channel, message({ to: wrong }), 'A306', 'to')
    }
  })
  prove(`${channel}.ref`, async () => {
    const ref = 'r'.repeat(200)
    assert.equal((await assertAccepted(channel, message({ ref }))).body.ref, ref)
    for (const wrong of [`${ref}r`, 1]) await assertRejected(channel, message({ ref: wrong }), 'A305', 'ref')
  })
  prove(`${channel}.answer`, async () => {
    const { body } = await assertAccepted(channel, message({ ref: 'r' }))
    assert.deepEqual(Object.keys(body).sort(), ['code', 'msgKey', 'ref', 'result'])
  })
}

proveShared('alimtalk', alimtalk)
proveShared('friendtalk', friendtalk)

prove('alimtalk.msgType', async () => {
  for (const msgType of ['AT', 'AI']) {
    const { msgKey } = (await assertAccepted('alimtalk', alimtalk({ msgType }))).body
    const [report] = await waitForReports(msgKey!)
    assert.deepEqual([report!.serviceType, report!.msgType], ['ALIMTALK', msgType])
  }
  for (const wrong of [undefined, '', 'FT', 'at', 1]) {
    await assertRejected('alimtalk', alimtalk({ msgType: wrong }), 'A523', 'msgType')
  }
})

prove('alimtalk.templateCode', async () => {
  await assertAccepted('alimtalk', alimtalk({ templateCode: 't'.repeat(50) }))
  for (const wrong of [undefined, '', 't'.repeat(51), 1]) {
    await assertRejected('alimtalk', alimtalk({ templateCode: wrong }), 'A505', 'templateCode')
  }
})

prove('alimtalk.text', async () => {
  await assertAccepted('alimtalk', alimtalk({ text: '가'.repeat(1_000) }))
  await assertRejected('alimtalk', alimtalk({ text: '가'.repeat(1_001) }), 'A328', 'text')
  for (const wrong of [undefined, '', 1])
    await assertRejected('alimtalk', alimtalk({ text: wrong }), 'A303', 'text')
})

export const friendtalkImages = runOnce(async () => {
  const api = await getAccountClient('main')
  const upload = async (kind: string, width: number, height: number): Promise<string> => {
    const part = { fileName: 'a.jpg', content: makeJpeg(width, height, 2_000) }
    return (await api.upload(`FRIENDTALK/${kind}`, part)).body.data!.imgUrl!
  }
  return { FI: await upload('FI', 800, 400), FW: await upload('FW', 800, 600) }
})

prove('friendtalk.msgType', async () => {
  const { FI, FW } = await friendtalkImages()
  for (const [msgType, imgUrl] of Object.entries({ FT: undefined, FI, FW })) {
    const { msgKey } = (await assertAccepted('friendtalk', friendtalk({ msgType, imgUrl }))).body
    const [report] = await waitForReports(msgKey!)
    assert.deepEqual([report!.serviceType, report!.msgType], ['FRIENDTALK', msgType])
  }
  await assertRejected('friendtalk', friendtalk({ msgType: 'FI' }), 'A513', 'imgUrl')
  await assertRejected('friendtalk', friendtalk({ msgType: 'FW' }), 'A513', 'imgUrl')
  for (const wrong of [undefined, '', 'AT', 'FL', 1]) {
    await assertRejected('friendtalk', friendtalk({ msgType: wrong }), 'A523', 'msgType')
  }
})

prove('friendtalk.text', async () => {
  const { FI, FW } = await friendtalkImages()
  for (const [msgType, max, imgUrl] of [
    ['FT', 1_000, undefined],
    ['FI', 400, FI],
    ['FW', 76, FW],
  ] as const) {
    await assertAccepted('friendtalk', friendtalk({ msgType, imgUrl, text: '가'.repeat(max) }))
    await assertRejected(
      'friendtalk',
      friendtalk({ msgType, imgUrl, text: '가'.repeat(max + 1) }),
      'A328',
      'text',
    )
  }
  for (const wrong of [undefined, '', 1])
    await assertRejected('friendtalk', friendtalk({ text: wrong }), 'A303', 'text')
})
