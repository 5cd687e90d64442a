import assert from 'node:assert/strict'
import { test } from 'node:test'
import { getFileReferences } from './files.ts'
import { getMsgType } from './msg-type.ts'
import { toSubmission } from './submission.ts'
import { entryOf, image } from '../../../test/support/carriers/rcs.ts'

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

test('a fileKey reaches the carrier as the media of its upload, in every style', () => {
  const media = `20261115000000000C00${'A'.repeat(20)}`
  const subContent = [{ subMedia: media }]
  const cases: [Parameters<typeof entryOf>[1], string[]][] = [
    [{ content: { standalone: { media, subContent } } }, ['media', 'subMedia1']],
    [{ content: { carousel: [{ media }, { media }] } }, ['media1', 'media2']],
    [{ content: { template: { pic: media, subContent } as object } }, ['pic', 'subMedia1']],
    [{ body: { media1: media } }, ['media1']],
  ]
  for (const [rest, names] of cases) {
    const entry = entryOf('UBR.x', rest)
    const uploaded = `maapfile://${media}`
    assert.deepEqual(toSubmission(entry).body, Object.fromEntries(names.map((name) => [name, uploaded])))
    assert.deepEqual(
      getFileReferences(entry).map(({ key }) => key),
      names.map(() => uploaded),
    )
  }
})

test('text is sent in the form in which it was counted', () => {
  const standalone = { text: '가\r\n나'.normalize('NFD') }
  assert.deepEqual(toSubmission(entryOf('SS000000', { content: { standalone } })).body, {
    description: '가\n나',
  })
})

test('options of the flow reach the carrier, and omitted options stay unset', () => {
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

test('msgType follows the format, or the kind or the fields of a template', () => {
  const letters = ['SS000000', 'SL000000', 'SMwThM00', 'CMwShS0600', 'OMSNSH0001'].map((id) =>
    getMsgType(entryOf(id, { body: {} })),
  )
  assert.deepEqual(letters, ['RS', 'RL', 'RM', 'RM', 'RM'])
  const kinds = (['Free', 'Description', 'Cell', 'Image'] as const).map((kind) =>
    getMsgType(entryOf('UBR.x', { body: {} }), kind),
  )
  assert.deepEqual(kinds, ['RF', 'RD', 'RC', 'RI'])
  const likely = [{ name: '안' }, { title: '안' }, { title: '안', cellLeft1: '왼' }, { pic: image }].map(
    (template) => getMsgType(entryOf('UBR.x', { content: { template } })),
  )
  assert.deepEqual(likely, ['RF', 'RD', 'RC', 'RI'])
})

test('finds every uploaded file, wherever it is referred to', () => {
  const paths = (rest: Parameters<typeof entryOf>[1]) =>
    getFileReferences(entryOf('x', rest)).map(({ key, path, use }) => [key === image, path, use])
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
