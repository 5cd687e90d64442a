/**
 * Rules of the formatId table that apply to several rows; the conformance suite proves every limit of every
 * row.
 */
import { test } from 'node:test'
import fc from 'fast-check'
import type { Entry } from './entry.ts'
import { findFormat, type Format } from './formats.ts'
import type { RcsCard } from './schema.ts'
import { dial, entryOf, image, letters, refuses, takes, times } from '../../../test/support/carriers/rcs.ts'

/** Returns the smallest valid content of the format, with a change to one card. */
function withCard(format: Format, card: RcsCard & { subContent?: object[] }, at = 0): Entry {
  const minimalCard: RcsCard = format.image === null ? { text: '안' } : { media: image }
  if (format.kind === 'standalone')
    return entryOf(format.id, { content: { standalone: { ...minimalCard, ...card } } })
  const cards = times(format.cards, (index) => (index === at ? { ...minimalCard, ...card } : minimalCard))
  return entryOf(format.id, { content: { carousel: cards } })
}

test('an image is the media or fileKey of an upload, and its link is an address', () => {
  const format = findFormat('SMwThT00')!
  const path = 'content.standalone'
  takes(withCard(format, { media: image, mediaUrl: 'https://example.com/' }))
  takes(withCard(format, { media: image, mediaUrl: '\\' }))
  takes(withCard(format, { media: `20261115000000000C00${'A'.repeat(20)}` }))
  for (const media of ['https://example.com/a.jpg', 'maapfile://', 'file-1', `${image} `])
    refuses(withCard(format, { media }), 'A415', `${path}.media`)
  refuses(withCard(format, { mediaUrl: 'example.com' }), 'A415', `${path}.mediaUrl`)
})

test('content of another kind than the format has is rejected', () => {
  const carousel = [{ text: '안' }]
  refuses(entryOf('SS000000', { content: { carousel } }), 'A415', 'content')
  refuses(entryOf('SS000000', { content: { template: {} } }), 'A415', 'content')
  refuses(entryOf('CMwMhM0200', { content: { standalone: { text: '안' } } }), 'A415', 'content')
})

test('a carousel is rejected exactly when the texts of its cards together exceed 1300 characters', () => {
  const format = findFormat('CMwShS0300')!
  fc.assert(
    fc.property(fc.tuple(...times(3, () => fc.nat(700))), (lengths) => {
      const carousel = lengths.map((length) => ({ media: image, text: letters(length) }))
      const entry = entryOf(format.id, { content: { carousel } })
      if (lengths.reduce((sum, length) => sum + length, 0) <= 1300) return takes(entry)
      const exceedsAtSecond = (lengths[0] ?? 0) + (lengths[1] ?? 0) > 1300
      refuses(entry, 'A328', `content.carousel[${exceedsAtSecond ? 1 : 2}].text`)
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
  refuses(entryOf('SS000000', { content: { standalone: {} } }), 'A415', 'content.standalone')
  const carousel = [{ media: image }, { button: [dial()] }]
  refuses(entryOf('CMwMhM0200', { content: { carousel } }), 'A415', 'content.carousel[1]')
  const standalone = { media: image, subContent: [{ subMediaUrl: 'https://example.com/' }] }
  refuses(entryOf('OMHITV0001', { content: { standalone } }), 'A424', 'content.standalone.subContent[0]')
})
