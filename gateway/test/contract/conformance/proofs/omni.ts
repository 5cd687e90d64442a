import assert from 'node:assert/strict'
import {
  assertAccepted,
  from,
  getMedia,
  uploadMmsImage,
  nextRecipient,
  assertRejected,
  waitForReports,
} from '../api-assertions.ts'
import { findSubmissions, findSubmittedContent } from '../carrier.ts'
import {
  findAttemptedChannels,
  sendFlowForCode,
  entry,
  sendFlowForKey,
  rcs,
  assertFlowRejected,
  sms,
} from '../flows.ts'
import { alimtalk, friendtalk, omni } from '../request-bodies.ts'
import { prove } from '../prove.ts'
import { getAccountClient } from '../installation.ts'
import { relay, sendRelayed, waitForRelayed, reportRelayed } from '../relay.ts'
import { friendtalkImages } from './kakao.ts'

prove('omni.messageFlow', async () => {
  const to = nextRecipient('0023')
  const flow = [{ alimtalk: entry(alimtalk()) }, rcs(), sms('the last')]
  // An inquiry returns the outcome first, then the steps in order.
  assert.deepEqual(await findAttemptedChannels(flow, to), ['SMS 10000', 'ALIMTALK 69999', 'RCS 33101'])
  assert.deepEqual(
    (await findSubmissions(to)).map(({ text }) => text),
    ['the last'],
  )
  for (const wrong of [[], 'sms', {}, 1]) await assertFlowRejected(wrong, 'A300')
})

prove('omni.messageFlow-stop', async () => {
  const to = nextRecipient('0001')
  assert.deepEqual(await findAttemptedChannels([rcs(), sms()], to), ['RCS 10000'])
  assert.deepEqual(await findSubmissions(to), [])
})

prove('omni.messageFlow-channel', async () => {
  for (const wrong of [{}, { ...sms(), ...rcs() }, { pager: {} }, { international: { from, text: 'x' } }]) {
    await assertFlowRejected([wrong], 'A300', 'messageFlow[0]')
  }
})

prove('omni.sms', async () => {
  const to = nextRecipient()
  await waitForReports(await sendFlowForKey([sms('by sms')], to))
  assert.equal((await findSubmissions(to))[0]!.text, 'by sms')
  await assertFlowRejected([{ sms: { text: 'x' } }], 'A302', 'messageFlow[0].sms.from')
  await assertFlowRejected([{ sms: { from } }], 'A303', 'messageFlow[0].sms.text')
})

prove('omni.mms', async () => {
  const fileKey = [await uploadMmsImage()]
  const msgKey = await sendFlowForKey([{ mms: { from, text: 'words', title: 'title', fileKey } }])
  assert.deepEqual(await findSubmittedContent(msgKey), {
    from,
    text: 'words',
    title: 'title',
    fileKeys: fileKey,
  })
  assert.equal((await waitForReports(msgKey))[0]!.serviceType, 'MMS')
  await assertFlowRejected([{ mms: { from } }], 'A303', 'messageFlow[0].mms.text')
})

prove('omni.rcs', async () => {
  const msgKey = await sendFlowForKey([rcs()])
  assert.equal((await findSubmittedContent(msgKey)).brandKey, 'BR.key')
  assert.equal((await waitForReports(msgKey))[0]!.serviceType, 'RCS')
  await assertFlowRejected([rcs({ from: undefined })], 'A302', 'messageFlow[0].rcs.from')
  await assertFlowRejected([rcs({ formatId: undefined })], 'A404', 'messageFlow[0].rcs.formatId')
  assert.equal(await sendFlowForCode([rcs({ content: undefined })]), 'A415')
})

prove('omni.alimtalk', async () => {
  const msgKey = await sendFlowForKey([{ alimtalk: entry(alimtalk()) }])
  assert.equal((await findSubmittedContent(msgKey)).templateCode, 'welcome')
  assert.equal((await waitForReports(msgKey))[0]!.serviceType, 'ALIMTALK')
  const bare = [{ alimtalk: entry(alimtalk({ templateCode: undefined })) }]
  await assertFlowRejected(bare, 'A505', 'messageFlow[0].alimtalk.templateCode')
})

prove('omni.friendtalk', async () => {
  const msgKey = await sendFlowForKey([{ friendtalk: entry(friendtalk()) }])
  assert.equal((await findSubmittedContent(msgKey)).message, 'hello')
  assert.equal((await waitForReports(msgKey))[0]!.serviceType, 'FRIENDTALK')
  const bare = [{ friendtalk: entry(friendtalk({ senderKey: undefined })) }]
  await assertFlowRejected(bare, 'A502', 'messageFlow[0].friendtalk.senderKey')
})

prove('omni.ref', async () => {
  const ref = 'r'.repeat(200)
  assert.equal((await assertAccepted('omni', omni({ ref }))).body.ref, ref)
  for (const wrong of [`${ref}r`, 1]) await assertRejected('omni', omni({ ref: wrong }), 'A305', 'ref')
})

prove('omni.answer', async () => {
  const { body } = await assertAccepted('omni', omni({ ref: 'r' }))
  assert.deepEqual(Object.keys(body).sort(), ['code', 'data', 'ref', 'result'])
  assert.deepEqual(Object.keys(body.data!), ['destinations'])
})

prove('omni.form', async () => {
  const api = await getAccountClient('main')
  const form = await api.post('/v1/form', { messageForm: [rcs(), sms('from a form, #{name}')] })
  assert.equal(form.body.code, 'A000', form.body.result)
  const to = nextRecipient('0023')
  const destinations = [{ to, replaceWords: { name: 'Lee' } }]
  const { body } = await assertAccepted('omni', { messageForm: form.body.data!.formId, destinations })
  await waitForReports(body.data!.destinations![0]!.msgKey)
  assert.equal((await findSubmissions(to))[0]!.text, 'from a form, Lee')
  await assertRejected('omni', { destinations: [{ to }] }, 'A300')
  await assertRejected('omni', { messageForm: 'unknown', destinations: [{ to }] }, 'A250')
})

prove('omni.originCID', async () => {
  const brand = { senderKey: 'k', msgType: 'FT', sendType: 'free', text: 'x' }
  const channels = { sms: { from, text: 'x' }, mms: { from, text: 'x' }, brandmessage: brand }
  for (const [channel, content] of Object.entries(channels)) {
    const flow = (originCID: unknown): object[] => [{ [channel]: { ...content, originCID } }]
    const to = nextRecipient()
    await sendRelayed('omni', { destinations: [{ to }], messageFlow: flow('123456789') })
    const relayed = await waitForRelayed(to)
    assert.deepEqual([relayed.channel, relayed.content.originCID], [channel, '123456789'])
    await reportRelayed(relayed)
    for (const wrong of ['12345678', '1234567890', 'abcdefghi', 1]) {
      await assertFlowRejected(flow(wrong), 'A300', `messageFlow[0].${channel}.originCID`)
    }
  }
})

prove('omni.objects', async () => {
  const link = { urlMobile: 'https://example.com', urlPc: 'https://example.com' }
  const button = [{ type: 'WL', name: 'open', ...link }]
  const item = {
    list: [
      { title: 'one', description: 'first' },
      { title: 'two', description: 'second' },
    ],
    summary: { title: 'sum', description: '1,000' },
  }
  const attachment = { button, item, itemHighlight: { title: 'high', description: 'light' } }
  const supplement = { quickReply: [{ type: 'BK', name: 'reply' }] }
  const first = await relay('alimtalk', entry(alimtalk({ attachment, supplement, link })))
  assert.deepEqual([first.attachment, first.supplement, first.link], [attachment, supplement, link])
  const image = { imgUrl: 'https://images.example/1.jpg', imgLink: 'https://example.com' }
  const coupon = { title: '1000원 할인 쿠폰', description: 'Today', ...link }
  const second = await relay(
    'friendtalk',
    entry(friendtalk({ msgType: 'FI', attachment: { button, image, coupon } })),
  )
  assert.deepEqual(second.attachment, { button, image, coupon })
  const list = ['one', 'two', 'three'].map((title) => ({ title, imgUrl: image.imgUrl, ...link }))
  const wide = { senderKey: 'k', msgType: 'FL', header: 'head', attachment: { item: { list } } }
  assert.deepEqual((await relay('friendtalk', wide)).attachment, { item: { list } })
  const commerce = { title: 'Shoes', regularPrice: 10_000, discountPrice: 9_000, discountRate: 10 }
  const cards = [1, 2].map(() => ({ attachment: { button, image, commerce } }))
  const carousel = { list: cards, tail: { urlMobile: link.urlMobile } }
  const third = await relay('friendtalk', { senderKey: 'k', msgType: 'FA', carousel })
  assert.deepEqual(third.carousel, carousel)
  await assertFlowRejected(
    [{ alimtalk: entry(alimtalk({ attachment: { ...attachment, image } })) }],
    'A300',
    'messageFlow[0].alimtalk.attachment.image',
  )
})

prove('service.5', async () => {
  const key = await uploadMmsImage()
  const media = await getMedia(568, 528)
  const { FI } = await friendtalkImages()
  const image = { image: { imgUrl: FI } }
  for (let time = 0; time < 2; time++) {
    await sendFlowForKey([{ mms: { from, text: 'words', fileKey: [key] } }])
    await sendFlowForKey([rcs({ formatId: 'SMwThT00', content: { standalone: { title: 'x', media } } })])
    await sendFlowForKey([{ friendtalk: entry(friendtalk({ msgType: 'FI', attachment: image })) }])
  }
})
