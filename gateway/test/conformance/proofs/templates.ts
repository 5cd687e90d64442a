/**
 * Issued templates whose kind the operator has named: the limits of the kind, over HTTP. One whose kind is not known has
 * the loosest limits.
 */
import { accepts, mediaOf, refuses } from '../api-assertions.ts'
import { templateIdOf } from '../installation.ts'
import { rcs } from '../request-bodies.ts'
import { prove } from '../prove.ts'
import { templateCases, type TemplateCase } from '../rows/formats.ts'

const words = (length: number): string => '가'.repeat(length)
const sent = (template: object, kind = 'Image'): object =>
  rcs({ formatId: templateIdOf(kind), content: { template } })
const unknown = (template: object): object => rcs({ formatId: 'UBR.new', content: { template } })

const button = { action: { urlAction: { openUrl: { url: 'https://example.com' } }, displayText: 'open' } }
const suggestions = (count: number): object => ({ suggestions: Array.from({ length: count }, () => button) })

function proveTemplate({ kind, title, text, buttons, images }: TemplateCase): void {
  const filled = (template: object): object => sent(template, kind)
  const expert = (...counts: readonly number[]): object =>
    rcs({
      ...{ formatId: templateIdOf(kind), content: undefined, body: { description: 'words' } },
      buttons: counts.map(suggestions),
    })
  prove(`template.${kind}.image`, async () => {
    const at = 'content.template.media'
    if (images.length === 0) {
      const media = await mediaOf(900, 900)
      await refuses('rcs', filled({ description: 'words', media }), 'A415', at)
      await accepts('rcs', filled({ description: 'words' }))
      await accepts('rcs', unknown({ description: 'words', media }))
      return
    }
    for (const [width, height] of images) {
      await accepts('rcs', filled({ title: 'title', media: await mediaOf(width, height) }))
    }
    await refuses('rcs', filled({ title: 'title', media: await mediaOf(901, 900) }), 'A203', at)
  })
  prove(`template.${kind}.title`, async () => {
    await accepts('rcs', filled({ ...(title > 0 ? { title: words(title) } : {}), description: 'words' }))
    await refuses('rcs', filled({ title: words(title + 1) }), 'A415', 'content.template.title')
    await accepts('rcs', unknown({ title: words(30) }))
    await refuses('rcs', unknown({ title: words(31) }), 'A415', 'content.template.title')
  })
  prove(`template.${kind}.text`, async () => {
    await accepts('rcs', filled({ description: words(text) }))
    await refuses('rcs', filled({ description: words(text + 1) }), 'A328', 'content.template.description')
    await accepts('rcs', unknown({ description: words(150) }))
    await refuses('rcs', unknown({ description: words(151) }), 'A328', 'content.template.description')
  })
  prove(`template.${kind}.cards`, async () => {
    await accepts('rcs', expert(1))
    await refuses('rcs', expert(1, 1), 'A406', 'buttons')
    const carousel = [{ title: 'a' }, { title: 'b' }]
    await refuses('rcs', rcs({ formatId: templateIdOf(kind), content: { carousel } }), 'A404')
  })
  prove(`template.${kind}.buttons`, async () => {
    for (let count = 0; count <= buttons; count++) await accepts('rcs', expert(count))
    await refuses('rcs', expert(buttons + 1), 'A406', 'buttons[0].suggestions')
  })
}

templateCases.forEach(proveTemplate)

prove('template.Image.detail-image', async () => {
  const detail = async (width: number, height: number): Promise<object> =>
    sent({ title: 'title', subContent: [{ subTitle: 'detail', subMedia: await mediaOf(width, height) }] })
  await accepts('rcs', await detail(300, 300))
  const at = 'content.template.subContent[0].subMedia'
  await refuses('rcs', await detail(301, 300), 'A203', at)
  await refuses('rcs', await detail(300, 299), 'A203', at)
})

prove('template.Image.detail-text', async () => {
  const detail = (sub: object): object => sent({ title: 'title', subContent: [sub] })
  await accepts('rcs', detail({ subTitle: words(33), subDesc: words(33) }))
  const at = 'content.template.subContent[0]'
  await refuses('rcs', detail({ subTitle: words(34) }), 'A424', `${at}.subTitle`)
  await refuses('rcs', detail({ subTitle: 'x', subDesc: words(34) }), 'A424', `${at}.subDesc`)
})
