import { test } from 'node:test'
import { requireValid } from '../issues.ts'
import type { Entry } from './entry.ts'
import { templateLimits, type TemplateKind } from './limits.ts'
import { checkTemplate } from './template.ts'
import {
  dial,
  entryOf,
  image,
  letters,
  refuses,
  takes,
  throwsProblem,
  times,
} from '../../../test/support/carriers/rcs.ts'

const hello: Partial<Entry> = { content: { standalone: { text: '안녕' } } }
const template = (fields: Readonly<Record<string, string | object[]>>) =>
  entryOf('UBR.brand-0001', { content: { template: fields } })
const suggestion = (displayText = 'Open') => ({
  action: { urlAction: { openUrl: { url: 'https://example.com/' } }, displayText },
})

test('RCS from: digits of a sender number', () => {
  takes(entryOf('SS000000', hello))
  for (const from of ['1588-1234', '+8215881234', '0501234567', 'ACME']) {
    refuses({ ...entryOf('SS000000', hello), from }, 'A302', 'from')
  }
})

test('RCS formatId: an ID outside the table accepts only template content', () => {
  takes(template({ name: '홍길동' }))
  refuses(entryOf('ss000000', hello), 'A404', 'formatId')
  refuses(entryOf('CMwMhM0700', { content: { carousel: [] } }), 'A404', 'formatId')
})

test('RCS buttons: only with body', () => {
  const buttons = [{ suggestions: [suggestion()] }]
  takes(entryOf('SS000000', { body: { description: '안녕' }, buttons }))
  refuses(entryOf('SS000000', { ...hello, buttons }), 'A425', 'buttons')
})

test('RCS body: rejects card fields beyond the format, accepts keys of new formats', () => {
  refuses(entryOf('CMwMhM0200', { body: { title3: '안' } }), 'A417', 'body.title3')
  takes(entryOf('OL00000001', { body: { mTitle: '안', description: letters(1300), cellLeft1: '왼쪽' } }))
  const body = { media1: image, media2: image, title2: '안', layout: { width: 'narrow' } }
  takes(entryOf('CMwMhM0200', { body }))
})

test('RCS buttons of an unknown formatId: at most 3 per card, labels of 17', () => {
  const withButtons = (buttons: NonNullable<Entry['buttons']>) => entryOf('ITBRNEW001', { body: {}, buttons })
  const three = { suggestions: times(3, () => suggestion(letters(17))) }
  takes(withButtons(times(6, () => three)))
  refuses(withButtons(times(7, () => ({}))), 'A406', 'buttons')
  refuses(withButtons([{ suggestions: times(4, () => suggestion()) }]), 'A406', 'buttons[0].suggestions')
  const long = [{ suggestions: [suggestion(letters(18))] }]
  refuses(withButtons(long), 'A427', 'buttons[0].suggestions[0].action.displayText')
})

test('RCS body: media by reference, or a video with its thumbnail', () => {
  takes(entryOf('CMwMhM0200', { body: { media1: image, media2: `https://youtu.be/abc,${image}` } }))
  refuses(entryOf('SMwThT00', { body: { media: 'https://example.com/a.jpg' } }), 'A425', 'body.media')
})

test('RCS body: at most 10240 bytes of JSON, in either style', () => {
  const bytes = (length: number) =>
    entryOf('UBR.x', { body: { key: 'a'.repeat(length - '{"key":""}'.length) } })
  takes(bytes(10_240))
  refuses(bytes(10_241), 'A425', 'body')
  const mediaUrl = `https://example.com/${'a'.repeat(10_240)}`
  refuses(entryOf('SMwThT00', { content: { standalone: { media: image, mediaUrl } } }), 'A415', 'content')
})

test('RCS buttons: each suggestion is one action, with an address if required, or one reply', () => {
  const withButton = (button: object) =>
    entryOf('SS000000', { body: {}, buttons: [{ suggestions: [button] }] })
  const path = 'buttons[0].suggestions[0]'
  const displayText = 'Open'
  const push = { mapAction: { requestLocationPush: {} }, displayText, postback: { data: 'x' } }
  takes(withButton({ action: push }))
  takes(withButton({ reply: { displayText } }))
  refuses(withButton({}), 'A406', path)
  refuses(withButton({ ...suggestion(), reply: { displayText } }), 'A406', path)
  refuses(withButton({ action: { displayText } }), 'A426', `${path}.action`)
  const twoActions = { urlAction: {}, dialerAction: {}, displayText }
  refuses(withButton({ action: twoActions }), 'A426', `${path}.action`)
  for (const urlAction of [null, {}, { openUrl: {} }, { openUrl: { url: 1 } }, { openUrl: { url: '' } }]) {
    refuses(
      withButton({ action: { urlAction, displayText } }),
      'A406',
      `${path}.action.urlAction.openUrl.url`,
    )
  }
})

test('RCS body of an unknown formatId: the loosest limits of any format', () => {
  const expert = (body: Record<string, string>) => entryOf('UBR.a', { body })
  takes(expert({ title: letters(30), description1: letters(1_290), description2: letters(10) }))
  refuses(expert({ title: letters(31) }), 'A425', 'body.title')
  refuses(expert({ description: letters(1_301) }), 'A328', 'body.description')
  refuses(expert({ description1: letters(1_290), description2: letters(11) }), 'A328', 'body.description2')
})

test('RCS template of unknown kind: the loosest limits of any kind', () => {
  takes(template({}))
  takes(
    template({
      title: letters(30),
      description: letters(150),
      subContent: times(3, () => ({ subDesc: letters(33) })),
    }),
  )
  refuses(template({ title: letters(31) }), 'A415', 'content.template.title')
  refuses(template({ description: letters(151) }), 'A328', 'content.template.description')
  const four = times(4, () => ({ subDesc: '안' }))
  refuses(template({ subContent: four }), 'A424', 'content.template.subContent')
  const long = [{ subTitle: '안' }, { subDesc: letters(34) }]
  refuses(template({ subContent: long }), 'A424', 'content.template.subContent[1].subDesc')
})

const kinds = Object.keys(templateLimits) as TemplateKind[]
for (const kind of kinds) {
  const { title, text, subContents, images, buttonsPerCard } = templateLimits[kind]
  const passes = (entry: Entry) => requireValid((issues) => checkTemplate(kind, entry, '', issues))
  const fails = (entry: Entry, code: string, path: string) =>
    throwsProblem(() => requireValid((issues) => checkTemplate(kind, entry, 'x.', issues)), code, `x.${path}`)

  test(`RCS ${kind} template: title ${title}, text ${text} over all texts, in either style`, () => {
    const fields = {
      description: letters(text - 10),
      name: letters(10),
      link: 'https://example.com/long/address',
    }
    passes(template({ ...fields, ...(title > 0 ? { title: letters(title) } : {}) }))
    passes(entryOf('UBR.x', { body: fields }))
    fails(template({ title: letters(title + 1) }), 'A415', 'content.template.title')
    const over = { description: letters(text - 9), cellLeft1: letters(10) }
    fails(template(over), 'A328', 'content.template.cellLeft1')
    fails(entryOf('UBR.x', { body: over }), 'A328', 'body.cellLeft1')
  })

  test(`RCS ${kind} template: ${images.length > 0 ? 'images and sub-info' : 'no image and no sub-info'}`, () => {
    const withMedia = template({ media: image })
    const withSub = template({ subContent: times(subContents + 1, () => ({ subTitle: '안' })) })
    if (images.length > 0) passes(withMedia)
    else fails(withMedia, 'A415', 'content.template.media')
    fails(withSub, 'A424', 'content.template.subContent')
  })

  test(`RCS ${kind} template: at most ${buttonsPerCard} buttons`, () => {
    const withButtons = (count: number) =>
      entryOf('UBR.x', { body: {}, buttons: [{ suggestions: times(count, () => suggestion()) }] })
    passes(withButtons(buttonsPerCard))
    fails(withButtons(buttonsPerCard + 1), 'A406', 'buttons[0].suggestions')
  })
}

test('names the first wrong field: sender before content, title before button', () => {
  const standalone = { text: '안', title: letters(31), button: times(9, () => dial()) }
  const entry = entryOf('SL000000', { content: { standalone } })
  refuses(entry, 'A415', 'content.standalone.title')
  refuses({ ...entry, from: 'x' }, 'A302', 'from')
})
