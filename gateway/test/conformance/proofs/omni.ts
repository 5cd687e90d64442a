/** The combined send: order of fallback, what an entry carries, and the answer. */
import assert from 'node:assert/strict'
import { accepts, from, mediaOf, mmsFile, recipient, refuses, reportsOf } from '../api-assertions.ts'
import { submissionsTo, submittedAs } from '../carrier.ts'
import { channelsTried, destinationCode, entry, keyOf, rcs, refusesFlow, sms } from '../flows.ts'
import { alimtalk, friendtalk, omni } from '../request-bodies.ts'
import { prove } from '../prove.ts'
import { account } from '../installation.ts'
import { relay, relayedTo, reportRelayed } from '../relay.ts'
import { friendtalkImages } from './kakao.ts'

prove('omni.messageFlow', async () => {
  const to = recipient('0023')
  const flow = [{ alimtalk: entry(alimtalk()) }, rcs(), sms('the last')]
  assert.deepEqual(await channelsTried(flow, to), ['ALIMTALK 69999', 'RCS 33101', 'SMS 10000'])
  assert.deepEqual(
    (await submissionsTo(to)).map(({ text }) => text),
    ['the last'],
  )
  for (const wrong of [[], 'sms', {}, 1]) await refusesFlow(wrong, 'A300')
})

prove('omni.messageFlow-stop', async () => {
  const to = recipient('0001')
  assert.deepEqual(await channelsTried([rcs(), sms()], to), ['RCS 10000'])
  assert.deepEqual(await submissionsTo(to), [])
})

prove('omni.messageFlow-channel', async () => {
  for (const wrong of [{}, { ...sms(), ...rcs() }, { pager: {} }, { international: { from, text: 'x' } }]) {
    await refusesFlow([wrong], 'A300', 'messageFlow[0]')
  }
})

prove('omni.sms', async () => {
  const to = recipient()
  await reportsOf(await keyOf([sms('by sms')], to))
  assert.equal((await submissionsTo(to))[0]!.text, 'by sms')
  await refusesFlow([{ sms: { text: 'x' } }], 'A302', 'messageFlow[0].sms.from')
  await refusesFlow([{ sms: { from } }], 'A303', 'messageFlow[0].sms.text')
})

prove('omni.mms', async () => {
  const fileKey = [await mmsFile()]
  const msgKey = await keyOf([{ mms: { from, text: 'words', title: 'title', fileKey } }])
  assert.deepEqual(await submittedAs(msgKey), { from, text: 'words', title: 'title', fileKeys: fileKey })
  assert.equal((await reportsOf(msgKey))[0]!.serviceType, 'MMS')
  await refusesFlow([{ mms: { from } }], 'A303', 'messageFlow[0].mms.text')
})

prove('omni.rcs', async () => {
  const msgKey = await keyOf([rcs()])
  assert.equal((await submittedAs(msgKey)).brandKey, 'BR.key')
  assert.equal((await reportsOf(msgKey))[0]!.serviceType, 'RCS')
  await refusesFlow([rcs({ from: undefined })], 'A302', 'messageFlow[0].rcs.from')
  await refusesFlow([rcs({ formatId: undefined })], 'A404', 'messageFlow[0].rcs.formatId')
  assert.equal(await destinationCode([rcs({ content: undefined })]), 'A415')
})

prove('omni.alimtalk', async () => {
  const msgKey = await keyOf([{ alimtalk: entry(alimtalk()) }])
  assert.equal((await submittedAs(msgKey)).templateCode, 'welcome')
  assert.equal((await reportsOf(msgKey))[0]!.serviceType, 'ALIMTALK')
  const bare = [{ alimtalk: entry(alimtalk({ templateCode: undefined })) }]
  await refusesFlow(bare, 'A505', 'messageFlow[0].alimtalk.templateCode')
})

prove('omni.friendtalk', async () => {
  const msgKey = await keyOf([{ friendtalk: entry(friendtalk()) }])
  assert.equal((await submittedAs(msgKey)).message, 'hello')
  assert.equal((await reportsOf(msgKey))[0]!.serviceType, 'FRIENDTALK')
  const bare = [{ friendtalk: entry(friendtalk({ senderKey: undefined })) }]
  await refusesFlow(bare, 'A502', 'messageFlow[0].friendtalk.senderKey')
})

prove('omni.ref', async () => {
  const ref = 'r'.repeat(200)
  assert.equal((await accepts('omni', omni({ ref }))).body.ref, ref)
  await refuses('omni', omni({ ref: `${ref}r` }), 'A305', 'ref')
})

prove('omni.answer', async () => {
  const { body } = await accepts('omni', omni({ ref: 'r' }))
  assert.deepEqual(Object.keys(body).sort(), ['code', 'data', 'ref', 'result'])
  assert.deepEqual(Object.keys(body.data!), ['destinations'])
})

prove('omni.form', async () => {
  const api = await account('main')
  const form = await api.post('/v1/form', { messageForm: [rcs(), sms('from a form, #{name}')] })
  assert.equal(form.body.code, 'A000', form.body.result)
  const to = recipient('0023')
  const destinations = [{ to, replaceWords: { name: 'Lee' } }]
  const { body } = await accepts('omni', { messageForm: form.body.data!.formId, destinations })
  await reportsOf(body.data!.destinations![0]!.msgKey)
  assert.equal((await submissionsTo(to))[0]!.text, 'from a form, Lee')
  await refuses('omni', { destinations: [{ to }] }, 'A300')
  await refuses('omni', { messageForm: 'nobody', destinations: [{ to }] }, 'A250')
})

prove('omni.originCID', async () => {
  const brand = { senderKey: 'k', msgType: 'FT', sendType: 'free', text: 'x' }
  const channels = { sms: { from, text: 'x' }, mms: { from, text: 'x' }, brandmessage: brand }
  for (const [channel, content] of Object.entries(channels)) {
    const flow = (originCID: unknown): object[] => [{ [channel]: { ...content, originCID } }]
    const to = recipient()
    await relay('omni', { destinations: [{ to }], messageFlow: flow('123456789') })
    const left = await relayedTo(to)
    assert.deepEqual([left.channel, left.content.originCID], [channel, '123456789'])
    await reportRelayed(left)
    for (const wrong of ['12345678', '1234567890', 'abcdefghi', 1]) {
      await refusesFlow(flow(wrong), 'A300', `messageFlow[0].${channel}.originCID`)
    }
  }
})

/** The content of a flow of one message as it left the gateway. */
async function leftAs(channel: string, content: object): Promise<Readonly<Record<string, unknown>>> {
  const to = recipient()
  await relay('omni', { destinations: [{ to }], messageFlow: [{ [channel]: content }] })
  const left = await relayedTo(to)
  await reportRelayed(left)
  assert.equal(left.channel, channel)
  return left.content
}

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
  const first = await leftAs('alimtalk', entry(alimtalk({ attachment, supplement, link })))
  assert.deepEqual([first.attachment, first.supplement, first.link], [attachment, supplement, link])
  const image = { imgUrl: 'https://images.example/1.jpg', imgLink: 'https://example.com' }
  const coupon = { title: '1000원 할인 쿠폰', description: 'Today', ...link }
  const second = await leftAs(
    'friendtalk',
    entry(friendtalk({ msgType: 'FI', attachment: { button, image, coupon } })),
  )
  assert.deepEqual(second.attachment, { button, image, coupon })
  const list = ['one', 'two', 'three'].map((title) => ({ title, imgUrl: image.imgUrl, ...link }))
  const wide = { senderKey: 'k', msgType: 'FL', header: 'head', attachment: { item: { list } } }
  assert.deepEqual((await leftAs('friendtalk', wide)).attachment, { item: { list } })
  const commerce = { title: 'Shoes', regularPrice: 10_000, discountPrice: 9_000, discountRate: 10 }
  const cards = [1, 2].map(() => ({ attachment: { button, image, commerce } }))
  const carousel = { list: cards, tail: { urlMobile: link.urlMobile } }
  const third = await leftAs('friendtalk', { senderKey: 'k', msgType: 'FA', carousel })
  assert.deepEqual(third.carousel, carousel)
  await refusesFlow(
    [{ alimtalk: entry(alimtalk({ attachment: { ...attachment, image } })) }],
    'A300',
    'messageFlow[0].alimtalk.attachment.image',
  )
})

prove('service.5', async () => {
  const key = await mmsFile()
  const media = await mediaOf(568, 528)
  const { FI } = await friendtalkImages()
  const image = { image: { imgUrl: FI } }
  for (let time = 0; time < 2; time++) {
    await keyOf([{ mms: { from, text: 'words', fileKey: [key] } }])
    await keyOf([rcs({ formatId: 'SMwThT00', content: { standalone: { title: 'x', media } } })])
    await keyOf([{ friendtalk: entry(friendtalk({ msgType: 'FI', attachment: image })) }])
  }
})
