/** The limits of the format table apply to the expert style. */
import { test } from 'node:test'
import { entryOf, image, refuses, takes } from '../../../test/support/carriers/rcs.ts'

test('rejects a title, a text or an image where the format has none', () => {
  refuses(entryOf('SS000000', { body: { title: '안' } }), 'A425', 'body.title')
  refuses(entryOf('OMHITV0001', { body: { description: '안' } }), 'A425', 'body.description')
  for (const formatId of ['SS000000', 'SL000000']) {
    refuses(entryOf(formatId, { body: { media: image } }), 'A425', 'body.media')
  }
  takes(entryOf('SS000000', { body: { title: '', description: '안', media: '' } }))
})

test('rejects an object where a text is counted, and accepts one elsewhere', () => {
  for (const key of ['title', 'description', 'media']) {
    refuses(
      entryOf('SMwThT00', { body: { [key]: { text: '안' } } }),
      'A425',
      `body.${key}`,
      /must be a string/,
    )
  }
  takes(entryOf('SMwThT00', { body: { media: image, layout: { title: '안' } } }))
})
