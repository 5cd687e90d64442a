/** What a carrier is given: the simple style as carrier-standard body and buttons, the expert style untouched. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fileKeysOf } from './files.ts'
import { expirySeconds } from './limits.ts'
import { msgTypeOf } from './msg-type.ts'
import type { Button } from './schema.ts'
import { expirySecondsOf, toSubmission } from './submission.ts'
import { toSuggestion } from './suggestions.ts'
import { dial, entryOf, image, takes } from '../../../test/support/rcs.ts'

test('standalone content becomes title, description, media and numbered sub-infos', () => {
  const standalone = {
    ...{ title: '제목', text: '본문', media: image, mediaUrl: '\\' },
    subContent: [
      { subTitle: '하나', subDesc: '설명' },
      { subTitle: '둘', subMedia: image, subMediaUrl: 'https://example.com/' },
    ],
  }
  const entry = entryOf('OMTBNV0001', { content: { standalone }, brandKey: 'BK.1' })
  takes(entry)
  assert.deepEqual(toSubmission(entry), {
    from: '15881234',
    messagebaseId: 'OMTBNV0001',
    product: 'mms',
    body: {
      ...{ title: '제목', description: '본문', media: image, mediaUrl: '\\' },
      ...{ subTitle1: '하나', subDesc1: '설명', subTitle2: '둘', subMedia2: image },
      subMediaUrl2: 'https://example.com/',
    },
    buttons: [],
    header: '0',
    expiryOption: '1',
    copyAllowed: false,
    brandKey: 'BK.1',
  })
})

test('carousel content becomes numbered keys, and one element of buttons for each card', () => {
  const carousel = [
    { title: '하나', media: image },
    { text: '둘', button: [dial()] },
  ]
  const { body, buttons } = toSubmission(entryOf('CMwMhM0200', { content: { carousel } }))
  assert.deepEqual(body, { title1: '하나', media1: image, description2: '둘' })
  assert.deepEqual(buttons, [{}, { suggestions: [toSuggestion(dial())] }])
})

test('template content keeps its keys, a key such as __proto__ included', () => {
  const template = JSON.parse('{"title":"제목","cellLeft1":"왼","__proto__":"x"}') as { title: string }
  const { body, product } = toSubmission(entryOf('UBR.x', { content: { template } }))
  assert.deepEqual(Object.entries(body), Object.entries(template))
  assert.equal(product, null)
})

test('the expert style is passed on as it is', () => {
  const body = { title1: '가'.normalize('NFD'), layout: { a: 1 } }
  const buttons = [{}, { suggestions: [{ action: { dialerAction: {}, displayText: 'x' } }] }]
  const submission = toSubmission(entryOf('CMwMhM0200', { body, buttons }))
  assert.deepEqual([submission.body, submission.buttons], [body, buttons])
})

test('text is sent in the form in which it was counted', () => {
  const standalone = { text: '가\r\n나'.normalize('NFD') }
  assert.deepEqual(toSubmission(entryOf('SS000000', { content: { standalone } })).body, {
    description: '가\n나',
  })
})

test('options of the flow reach the carrier, and options that the client left out are not set', () => {
  const options = { brandId: 'BR.1', groupId: 'g', agencyId: 'a', agencyKey: 'AK.1', footer: '0801234567' }
  const submission = toSubmission(
    entryOf('SS000000', { body: {}, ...options, header: '1', copyAllowed: '1', expiryOption: '3' }),
  )
  assert.deepEqual(
    { ...submission, ...options, header: '1', copyAllowed: true, expiryOption: '3' },
    submission,
  )
  assert.equal('agencyId' in toSubmission(entryOf('SS000000', { body: {} })), false)
})

const actions: readonly (readonly [Button, object, string])[] = [
  [{ type: 'URL', name: 'n', url: 'u' }, { urlAction: { openUrl: { url: 'u' } } }, 'open_url'],
  [
    { type: 'MAP_LOC', name: 'n', label: 'l', latitude: '37.5', longitude: '-122.08', fallbackUrl: 'f' },
    {
      mapAction: {
        showLocation: { location: { latitude: 37.5, longitude: -122.08, label: 'l' }, fallbackUrl: 'f' },
      },
    },
    'show_location',
  ],
  [
    { type: 'MAP_LOC', name: 'n', latitude: '37.5', longitude: '-122.08', fallbackUrl: '' },
    { mapAction: { showLocation: { location: { latitude: 37.5, longitude: -122.08 } } } },
    'show_location',
  ],
  [
    { type: 'MAP_QRY', name: 'n', query: 'q', label: 'l', fallbackUrl: 'f' },
    { mapAction: { showLocation: { location: { query: 'q' }, fallbackUrl: 'f' } } },
    'show_location',
  ],
  [{ type: 'MAP_SEND', name: 'n' }, { mapAction: { requestLocationPush: {} } }, 'request_location_push'],
  [
    { type: 'CALENDAR', name: 'n', startTime: 's', endTime: 'e', title: 't', description: 'd' },
    {
      calendarAction: { createCalendarEvent: { startTime: 's', endTime: 'e', title: 't', description: 'd' } },
    },
    'create_calendar_event',
  ],
  [
    { type: 'COPY', name: 'n', text: 't' },
    { clipboardAction: { copyToClipboard: { text: 't' } } },
    'copy_to_clipboard',
  ],
  [
    { type: 'COM_T', name: 'n', phoneNumber: 'p', text: 't' },
    { composeAction: { composeTextMessage: { phoneNumber: 'p', text: 't' } } },
    'compose_text_message',
  ],
  [
    { type: 'COM_V', name: 'n', phoneNumber: 'p' },
    { composeAction: { composeRecordingMessage: { phoneNumber: 'p', type: 'VIDEO' } } },
    'compose_recording_message',
  ],
  [
    { type: 'DIAL', name: 'n', phoneNumber: 'p' },
    { dialerAction: { dialPhoneNumber: { phoneNumber: 'p' } } },
    'dial_phone_number',
  ],
]

for (const [button, action, does] of actions) {
  test(`a ${button.type} button becomes its suggestion`, () => {
    const postback = { data: `set_by_chatbot_${does}` }
    assert.deepEqual(toSuggestion(button), { action: { ...action, displayText: 'n', postback } })
  })
}

test('RCS expiryOption: 24 hours, 40 seconds, 3 minutes 10 seconds, 1 hour; the first by default', () => {
  assert.deepEqual(expirySeconds, { '1': 86_400, '2': 40, '3': 190, '4': 3600 })
  assert.equal(expirySecondsOf(entryOf('SS000000', {})), 86_400)
  assert.equal(expirySecondsOf(entryOf('SS000000', { expiryOption: '3' })), 190)
})

test('msgType: short, long and media by format; a template by its kind or by what is filled in', () => {
  const letters = ['SS000000', 'SL000000', 'SMwThM00', 'CMwShS0600', 'OMSNSH0001'].map((id) =>
    msgTypeOf(entryOf(id, { body: {} })),
  )
  assert.deepEqual(letters, ['RS', 'RL', 'RM', 'RM', 'RM'])
  const kinds = (['Free', 'Description', 'Cell', 'Image'] as const).map((kind) =>
    msgTypeOf(entryOf('UBR.x', { body: {} }), kind),
  )
  assert.deepEqual(kinds, ['RF', 'RD', 'RC', 'RI'])
  const likely = [{ name: '안' }, { title: '안' }, { title: '안', cellLeft1: '왼' }, { pic: image }].map(
    (template) => msgTypeOf(entryOf('UBR.x', { content: { template } })),
  )
  assert.deepEqual(likely, ['RF', 'RD', 'RC', 'RI'])
})

test('finds every uploaded file, wherever it is referred to', () => {
  const paths = (rest: Parameters<typeof entryOf>[1]) =>
    fileKeysOf(entryOf('x', rest)).map(({ key, path, use }) => [key === image, path, use])
  const standalone = { media: image, mediaUrl: 'https://a.kr/', subContent: [{}, { subMedia: image }] }
  assert.deepEqual(paths({ content: { standalone } }), [
    [true, 'content.standalone.media', 'RCS'],
    [true, 'content.standalone.subContent[1].subMedia', 'RCS'],
  ])
  assert.deepEqual(paths({ content: { carousel: [{ text: 'x' }, { media: image }] } }), [
    [true, 'content.carousel[1].media', 'RCS'],
  ])
  const template = { pic: image, subContent: [{ subMedia: image }] }
  assert.deepEqual(paths({ content: { template } }), [
    [true, 'content.template.pic', 'RCS'],
    [true, 'content.template.subContent[0].subMedia', 'RCS'],
  ])
  const body = { media1: image, media2: `https://youtu.be/a,${image}`, description1: `see ${image}` }
  assert.deepEqual(paths({ body }), [
    [true, 'body.media1', 'RCS'],
    [true, 'body.media2', 'RCS'],
  ])
})
