/**
 * Tests the limits of issued templates whose kind is set. Templates of unknown kind have the loosest limits.
 */
import { assertAccepted, getMedia, assertRejected } from '../api-assertions.ts'
import { toTemplateId } from '../installation.ts'
import { rcs } from '../request-bodies.ts'
import { prove } from '../prove.ts'
import { templateCases, type TemplateCase } from '../rows/formats.ts'

const syllables = (length: number): string => '가'.repeat(length)
const message = (template: object, kind = 'Image'): object =>
  rcs({ formatId: toTemplateId(kind), content: { template } })
const ofUnknownKind = (template: object): object => rcs({ formatId: 'UBR.new', content: { template } })

const button = { action: { urlAction: { openUrl: { url: 'https://example.com' } }, displayText: 'open' } }
const suggestions = (count: number): object => ({ suggestions: Array.from({ length: count }, () => button) })

function proveTemplate({ kind, title, text, buttons, images }: TemplateCase): void {
  const ofKind = (template: object): object => message(template, kind)
  const expert = (...counts: readonly number[]): object =>
    rcs({
      formatId: toTemplateId(kind),
      content: undefined,
      body: { description: 'words' },
      buttons: counts.map(suggestions),
    })
  prove(`template.${kind}.image`, async () => {
    const at = 'content.template.media'
    if (images.length === 0) {
      const media = await getMedia(900, 900)
      await assertRejected('rcs', ofKind({ description: 'words', media }), 'A415', at)
      await assertAccepted('rcs', ofKind({ description: 'words' }))
      await assertAccepted('rcs', ofUnknownKind({ description: 'words', media }))
      return
    }
    for (const [width, height] of images) {
      await assertAccepted('rcs', ofKind({ title: 'title', media: await getMedia(width, height) }))
    }
    await assertRejected('rcs', ofKind({ title: 'title', media: await getMedia(901, 900) }), 'A203', at)
  })
  prove(`template.${kind}.title`, async () => {
    await assertAccepted(
      'rcs',
      ofKind({ ...(title > 0 ? { title: syllables(title) } : {}), description: 'words' }),
    )
    await assertRejected('rcs', ofKind({ title: syllables(title + 1) }), 'A415', 'content.template.title')
    await assertAccepted('rcs', ofUnknownKind({ title: syllables(30) }))
    await assertRejected('rcs', ofUnknownKind({ title: syllables(31) }), 'A415', 'content.template.title')
  })
  prove(`template.${kind}.text`, async () => {
    await assertAccepted('rcs', ofKind({ description: syllables(text) }))
    await assertRejected(
      'rcs',
      ofKind({ description: syllables(text + 1) }),
      'A328',
      'content.template.description',
    )
    await assertAccepted('rcs', ofUnknownKind({ description: syllables(150) }))
    await assertRejected(
      'rcs',
      ofUnknownKind({ description: syllables(151) }),
      'A328',
      'content.template.description',
    )
  })
  prove(`template.${kind}.cards`, async () => {
    await assertAccepted('rcs', expert(1))
    await assertRejected('rcs', expert(1, 1), 'A406', 'buttons')
    const carousel = [{ title: 'a' }, { title: 'b' }]
    await assertRejected('rcs', rcs({ formatId: toTemplateId(kind), content: { carousel } }), 'A404')
  })
  prove(`template.${kind}.buttons`, async () => {
    for (let count = 0; count <= buttons; count++) await assertAccepted('rcs', expert(count))
    await assertRejected('rcs', expert(buttons + 1), 'A406', 'buttons[0].suggestions')
  })
}

templateCases.forEach(proveTemplate)

prove('template.Image.detail-image', async () => {
  const detail = async (width: number, height: number): Promise<object> =>
    message({ title: 'title', subContent: [{ subTitle: 'detail', subMedia: await getMedia(width, height) }] })
  await assertAccepted('rcs', await detail(300, 300))
  const at = 'content.template.subContent[0].subMedia'
  await assertRejected('rcs', await detail(301, 300), 'A203', at)
  await assertRejected('rcs', await detail(300, 299), 'A203', at)
})

prove('template.Image.detail-text', async () => {
  const detail = (sub: object): object => message({ title: 'title', subContent: [sub] })
  await assertAccepted('rcs', detail({ subTitle: syllables(33), subDesc: syllables(33) }))
  const at = 'content.template.subContent[0]'
  await assertRejected('rcs', detail({ subTitle: syllables(34) }), 'A424', `${at}.subTitle`)
  await assertRejected('rcs', detail({ subTitle: 'x', subDesc: syllables(34) }), 'A424', `${at}.subDesc`)
})
