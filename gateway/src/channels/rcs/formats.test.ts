/** The formatId table, row by row: both sides of every limit that a row gives. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Entry } from './entry.ts'
import { formatOf, formats, type Format } from './formats.ts'
import type { Card } from './schema.ts'
import { dial, entryOf, image, imagesOf, letters, refuses, takes, times } from '../../../test/support/rcs.ts'

/** Code, image, title, text, cards, buttons, label, sub-info: a second copy of the table, so that a changed row is noticed. */
const table: readonly (readonly [string, string, number, number, number, number, number, number])[] = [
  ['SS000000', '', 0, 100, 1, 1, 17, 0],
  ['SL000000', '', 30, 1300, 1, 3, 17, 0],
  ['SMwThT00', '568x528', 30, 1300, 1, 2, 17, 0],
  ['SMwThM00', '568x336', 30, 1300, 1, 2, 17, 0],
  ...[2, 3, 4, 5, 6].map((n) => [`CMwMhM0${n}00`, '696x504', 30, 1300, n, 2, 13, 0] as const),
  ...[2, 3, 4, 5, 6].map((n) => [`CMwShS0${n}00`, '360x336', 30, 1300, n, 2, 5, 0] as const),
  ['OMHITV0001', '900x1200', 30, 0, 1, 2, 16, 1],
  ['OMHITS0001', '900x900', 30, 0, 1, 2, 16, 1],
  ['OMHIMV0001', '900x1200', 30, 0, 1, 2, 16, 0],
  ['OMHIMS0001', '900x900', 30, 0, 1, 2, 16, 0],
  ['OMTBNV0001', '900x560', 30, 150, 1, 2, 16, 2],
  ['OMTBNH0001', '900x560', 30, 150, 1, 2, 16, 3],
  ['OMSNSS0001', '900x900', 30, 150, 1, 2, 16, 0],
  ['OMSNSH0001', '900x900', 30, 150, 1, 2, 16, 0],
]

test('the format table holds the rows of the formatId table and no others', () => {
  const rows = formats.map((f) => [
    ...[f.id, f.image === null ? '' : `${f.image.width}x${f.image.height}`, f.title, f.text],
    ...[f.cards, f.buttonsPerCard, f.buttonLabel, f.subContents],
  ])
  assert.deepEqual(rows, table)
})

/** The smallest valid content of the format, with a change to one card. */
function withCard(format: Format, card: Card & { subContent?: object[] }, at = 0): Entry {
  const minimalCard: Card = format.image === null ? { text: '안' } : { media: image }
  if (format.kind === 'standalone')
    return entryOf(format.id, { content: { standalone: { ...minimalCard, ...card } } })
  const cards = times(format.cards, (index) => (index === at ? { ...minimalCard, ...card } : minimalCard))
  return entryOf(format.id, { content: { carousel: cards } })
}

const pathOf = (format: Format, at = 0): string =>
  format.kind === 'standalone' ? 'content.standalone' : `content.carousel[${at}]`

for (const format of formats) {
  const last = format.cards - 1
  const name = `RCS formatId ${format.id}`

  test(`${name}: title ${format.title === 0 ? 'refused' : `at most ${format.title}`}`, () => {
    if (format.title > 0) takes(withCard(format, { title: letters(format.title) }, last))
    refuses(
      withCard(format, { title: letters(format.title + 1) }, last),
      'A415',
      `${pathOf(format, last)}.title`,
    )
  })

  test(`${name}: text ${format.text === 0 ? 'refused' : `at most ${format.text} over all cards`}`, () => {
    const path = `${pathOf(format)}.text`
    if (format.text === 0) return refuses(withCard(format, { text: '안' }), 'A415', path, /has no text/)
    takes(withCard(format, { text: letters(format.text) }))
    refuses(
      withCard(format, { text: letters(format.text + 1) }),
      'A328',
      path,
      new RegExp(`${format.text + 1}`),
    )
  })

  test(`${name}: image ${format.image === null ? 'refused' : 'required, by its maapfile:// reference only'}`, () => {
    const path = `${pathOf(format, last)}.media`
    if (format.image === null)
      return refuses(withCard(format, { media: image }), 'A415', path, /has no image/)
    takes(withCard(format, { media: image, mediaUrl: 'https://example.com/' }, last))
    takes(withCard(format, { media: image, mediaUrl: '\\' }, last))
    for (const media of ['https://example.com/a.jpg', 'maapfile://', 'file-1', `${image} `]) {
      refuses(withCard(format, { media }, last), 'A415', path, /maapfile:/)
    }
    refuses(withCard(format, { mediaUrl: 'example.com' }, last), 'A415', `${pathOf(format, last)}.mediaUrl`)
    refuses(withCard(format, { media: '', title: '안' }, last), 'A415', path, /shows an image/)
    const body = imagesOf(format)
    takes(entryOf(format.id, { body }))
    const lastKey = Object.keys(body).at(-1)!
    refuses(entryOf(format.id, { body: { ...body, [lastKey]: '' } }), 'A425', `body.${lastKey}`)
  })

  test(`${name}: at most ${format.buttonsPerCard} buttons per card, labels of ${format.buttonLabel}`, () => {
    const button = times(format.buttonsPerCard, () => dial(letters(format.buttonLabel)))
    takes(withCard(format, { button }, last))
    refuses(withCard(format, { button: [...button, dial()] }, last), 'A406', `${pathOf(format, last)}.button`)
    const long = [dial(letters(format.buttonLabel + 1))]
    refuses(withCard(format, { button: long }, last), 'A427', `${pathOf(format, last)}.button[0].name`)
  })

  if (format.kind === 'standalone') {
    test(`${name}: ${format.subContents === 0 ? 'no' : `at most ${format.subContents}`} sub-info`, () => {
      const subContent = times(format.subContents, () => ({ subTitle: letters(50), subMedia: image }))
      takes(withCard(format, { subContent }))
      const path = 'content.standalone.subContent'
      refuses(withCard(format, { subContent: [...subContent, { subTitle: '하나' }] }), 'A424', path)
    })
  } else {
    test(`${name}: exactly ${format.cards} cards`, () => {
      for (const count of [format.cards - 1, format.cards, format.cards + 1]) {
        const entry = entryOf(format.id, { content: { carousel: times(count, () => ({ media: image })) } })
        if (count === format.cards) takes(entry)
        else
          refuses(
            entry,
            'A417',
            'content.carousel',
            new RegExp(`must have ${format.cards} cards with ${format.id}, found ${count}`),
          )
      }
    })
  }

  test(`${name}: content of another kind rejected`, () => {
    const other =
      format.kind === 'standalone' ? { carousel: [{ text: '안' }] } : { standalone: { text: '안' } }
    refuses(
      entryOf(format.id, { content: other }),
      'A415',
      'content',
      new RegExp(`must be ${format.kind} for `),
    )
    refuses(entryOf(format.id, { content: { template: {} } }), 'A415', 'content', /found template/)
  })
}

test('a carousel is rejected exactly when the texts of its cards together exceed 1300 characters', () => {
  const format = formatOf('CMwShS0300')!
  fc.assert(
    fc.property(fc.tuple(...times(3, () => fc.nat(700))), (lengths) => {
      const carousel = lengths.map((length) => ({ media: image, text: letters(length) }))
      const entry = entryOf(format.id, { content: { carousel } })
      if (lengths.reduce((sum, length) => sum + length, 0) <= 1300) return takes(entry)
      const two = (lengths[0] ?? 0) + (lengths[1] ?? 0) > 1300
      refuses(entry, 'A328', `content.carousel[${two ? 1 : 2}].text`)
    }),
    { numRuns: 50 },
  )
})

test('counts characters in the composed form and an emoji as two', () => {
  takes(entryOf('SS000000', { content: { standalone: { text: letters(100).normalize('NFD') } } }))
  takes(entryOf('SS000000', { content: { standalone: { text: '😀'.repeat(50) } } }))
  const long = entryOf('SS000000', { content: { standalone: { text: `${'😀'.repeat(50)}.` } } })
  refuses(long, 'A328', 'content.standalone.text')
})

test('rejects an empty card and an empty sub-info', () => {
  refuses(entryOf('SS000000', { content: { standalone: {} } }), 'A415', 'content.standalone', /empty/)
  const carousel = [{ media: image }, { button: [dial()] }]
  refuses(entryOf('CMwMhM0200', { content: { carousel } }), 'A415', 'content.carousel[1]', /empty/)
  const standalone = { media: image, subContent: [{ subMediaUrl: 'https://example.com/' }] }
  refuses(entryOf('OMHITV0001', { content: { standalone } }), 'A424', 'content.standalone.subContent[0]')
})
