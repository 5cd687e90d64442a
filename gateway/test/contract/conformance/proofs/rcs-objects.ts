import assert from 'node:assert/strict'
import { assertAccepted, getMedia, assertRejected } from '../api-assertions.ts'
import { findSubmittedContent } from '../carrier.ts'
import { card, carousel, rcs, urlButton } from '../request-bodies.ts'
import { prove } from '../prove.ts'

const template = (change: object): object =>
  rcs({ formatId: 'UBR.template-1', content: { template: { description: 'words', ...change } } })
const subInfo = { subTitle: 'title', subDesc: 'words' }

prove('rcs-object.content', async () => {
  const [standalone, words] = [{ text: 'x' }, { description: 'x' }]
  await assertAccepted('rcs', rcs({ content: { standalone } }))
  await assertRejected('rcs', rcs({ content: {} }), 'A415', 'content')
  await assertRejected('rcs', rcs({ content: { standalone, template: words } }), 'A415', 'content')
  await assertRejected(
    'rcs',
    rcs({ content: { standalone, carousel: [standalone, standalone] } }),
    'A415',
    'content',
  )
  await assertRejected('rcs', rcs({ content: { anything: standalone } }), 'A300')
})

prove('rcs-object.standalone', async () => {
  const media = await getMedia(900, 560)
  const whole = {
    text: 'words',
    title: 'title',
    media,
    mediaUrl: 'https://example.com',
    button: [urlButton()],
    subContent: [subInfo],
  }
  const { msgKey } = (await assertAccepted('rcs', card('OMTBNV0001', whole))).body
  const { body, buttons } = await findSubmittedContent(msgKey!)
  assert.deepEqual(body, {
    title: 'title',
    description: 'words',
    media,
    mediaUrl: 'https://example.com',
    subTitle1: 'title',
    subDesc1: 'words',
  })
  assert.equal((buttons as object[]).length, 1)
  await assertRejected('rcs', card('OMTBNV0001', { ...whole, colour: 'red' }), 'A300')
})

prove('rcs-object.standalone-types', async () => {
  const media = await getMedia(568, 528)
  for (const given of [media, media.replace('maapfile://', '')])
    await assertAccepted('rcs', card('SMwThT00', { text: 'x', media: given }))
  await assertRejected('rcs', card('SMwThT00', { text: 'x', media: 'https://example.com/a.jpg' }), 'A415')
  await assertRejected('rcs', card('SMwThT00', { text: 1 }), 'A415')
  await assertRejected('rcs', card('SL000000', { text: 'x', button: urlButton() }), 'A406')
  await assertRejected('rcs', card('OMTBNV0001', { title: 'x', subContent: subInfo }), 'A424')
})

prove('rcs-object.carousel', async () => {
  const media = await getMedia(696, 504)
  const item = {
    text: 'words',
    title: 'title',
    media,
    mediaUrl: 'https://example.com',
    button: [urlButton()],
  }
  const { msgKey } = (await assertAccepted('rcs', carousel('CMwMhM0200', [item, item]))).body
  const { body } = await findSubmittedContent(msgKey!)
  const numbered = [1, 2].flatMap((number) =>
    ['title', 'description', 'media', 'mediaUrl'].map((key) => `${key}${number}`),
  )
  assert.deepEqual(Object.keys(body as object).sort(), numbered.sort())
  await assertRejected('rcs', carousel('CMwMhM0200', [item, { ...item, subContent: [subInfo] }]), 'A300')
})

prove('rcs-object.template', async () => {
  const whole = {
    title: 'title',
    description: 'words',
    cellLeft1: 'left',
    anyKey: 'any',
    subContent: [subInfo],
  }
  const { msgKey } = (await assertAccepted('rcs', template(whole))).body
  const { body } = await findSubmittedContent(msgKey!)
  const { subContent, ...words } = whole
  assert.equal(subContent.length, 1)
  assert.deepEqual(body, { ...words, subTitle1: 'title', subDesc1: 'words' })
})

prove('rcs-object.template-types', async () => {
  await assertRejected('rcs', template({ title: 1 }), 'A415')
  await assertRejected('rcs', template({ anyKey: 1 }), 'A415')
  await assertRejected('rcs', template({ subContent: 'x' }), 'A424')
})

prove('rcs-object.subContent', async () => {
  const subMedia = await getMedia(300, 300)
  const media = await getMedia(900, 560)
  const whole = { ...subInfo, subMedia, subMediaUrl: 'https://example.com' }
  const standalone = { title: 'title', media, subContent: [whole] }
  const { msgKey } = (await assertAccepted('rcs', card('OMTBNV0001', standalone))).body
  const { body } = (await findSubmittedContent(msgKey!)) as { body: Record<string, string> }
  assert.equal(body.subMedia1, subMedia)
  assert.equal(body.subMediaUrl1, 'https://example.com')
  const change = (sub: object): object =>
    card('OMTBNV0001', { ...standalone, subContent: [{ ...whole, ...sub }] })
  await assertRejected('rcs', change({ subMedia: 'https://example.com/a.jpg' }), 'A424')
  await assertRejected('rcs', change({ subTitle: 1 }), 'A424')
  await assertRejected('rcs', change({ colour: 'red' }), 'A300')
})

const expert = (formatId: string, body: unknown, buttons?: unknown): object =>
  rcs({ formatId, content: undefined, body, ...(buttons === undefined ? {} : { buttons }) })

prove('rcs-object.body', async () => {
  const media = await getMedia(696, 504)
  const card2 = { title2: 'two', description2: 'more', media2: media, mediaUrl2: 'https://example.com' }
  const numbered = {
    title1: 'one',
    description1: 'words',
    media1: media,
    mediaUrl1: 'https://example.com',
    ...card2,
  }
  const cells = {
    mTitle: 'm',
    title: 't',
    description: 'd',
    cellLeft1: 'l',
    cellRight1: 'r',
    cellTitle1: 'c',
  }
  for (const [formatId, body] of [
    ['CMwMhM0200', numbered],
    ['UBR.cells-1', cells],
    ['UBR.cells-1', { description: 'd', extra: { any: 'object' } }],
  ] as const) {
    const { msgKey } = (await assertAccepted('rcs', expert(formatId, body))).body
    assert.deepEqual((await findSubmittedContent(msgKey!)).body, body)
  }
})

prove('rcs-object.body-types', async () => {
  await assertRejected('rcs', expert('SL000000', { title: 1 }), 'A425')
  await assertRejected('rcs', expert('SL000000', { title: ['x'] }), 'A425')
})

const action = (change: object = {}): object => ({
  urlAction: { openUrl: { url: 'https://example.com' } },
  displayText: 'open',
  ...change,
})

prove('rcs-object.buttons', async () => {
  const body = { title: 'title', description: 'words' }
  for (const one of [action(), action({ postback: { data: 'tapped' } })]) {
    const buttons = [{ suggestions: [{ action: one }] }]
    const { msgKey } = (await assertAccepted('rcs', expert('SL000000', body, buttons))).body
    assert.deepEqual((await findSubmittedContent(msgKey!)).buttons, buttons)
  }
})

prove('rcs-object.buttons-types', async () => {
  const body = { title: 'title', description: 'words' }
  const withAction = (value: object): object =>
    expert('SL000000', body, [{ suggestions: [{ action: value }] }])
  await assertRejected('rcs', withAction(action({ displayText: undefined })), 'A425')
  await assertRejected('rcs', withAction(action({ postback: { data: 1 } })), 'A425')
  await assertRejected('rcs', withAction(action({ urlAction: { openUrl: {} } })), 'A406')
  await assertRejected('rcs', withAction(action({ urlAction: { openUrl: { url: 1 } } })), 'A406')
})

prove('rcs-object.fallback', async () => {
  await assertAccepted('rcs', rcs({ fallback: { type: 'SMS', text: 'instead' } }))
  await assertRejected('rcs', rcs({ fallback: 'instead' }), 'A300', 'fallback')
})
