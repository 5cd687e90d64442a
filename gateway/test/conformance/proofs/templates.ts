/**
 * Issued templates. A send does not know a template's kind and is held to the loosest one, which is proven over HTTP;
 * the limits of each kind are proven on the check that knows it.
 */
import assert from 'node:assert/strict'
import { requireValid } from '../../../src/channels/issues.ts'
import type { Entry } from '../../../src/channels/rcs/entry.ts'
import { checkTemplate } from '../../../src/channels/rcs/template.ts'
import { Problem } from '../../../src/contract/problem.ts'
import { accepts, mediaOf, refuses } from '../api-assertions.ts'
import { rcs, rcsEntry } from '../request-bodies.ts'
import { prove } from '../prove.ts'
import { templateCases, type TemplateCase } from '../rows/formats.ts'

const words = (length: number): string => '가'.repeat(length)
const ids = { formatId: 'UBR.template-1' }
const sent = (template: object): object => rcs({ ...ids, content: { template } })

/** Asks the check of the kind: the code it refuses with, or null. */
function verdict({ kind }: TemplateCase, change: object): string | null {
  try {
    requireValid((issues) =>
      checkTemplate(kind, rcsEntry({ ...ids, content: undefined, ...change }) as Entry, '', issues),
    )
    return null
  } catch (error) {
    if (error instanceof Problem) return error.code
    throw error
  }
}

const filled = (template: object): object => ({ content: { template } })
const button = { action: { urlAction: { openUrl: { url: 'https://example.com' } }, displayText: 'open' } }
const suggestions = (count: number): object => ({ suggestions: Array.from({ length: count }, () => button) })
const expert = (...counts: readonly number[]): object => ({
  body: { description: 'words' },
  buttons: counts.map(suggestions),
})

function proveTemplate(one: TemplateCase): void {
  const { kind, title, text, buttons, images } = one
  prove(`template.${kind}.image`, async () => {
    if (images.length === 0) {
      assert.equal(verdict(one, filled({ description: 'words', media: 'maapfile://picture' })), 'A415')
      assert.equal(verdict(one, filled({ description: 'words' })), null)
      return
    }
    for (const [width, height] of images) {
      await accepts('rcs', sent({ title: 'title', media: await mediaOf(width, height) }))
    }
    const other = await mediaOf(901, 900)
    await refuses('rcs', sent({ title: 'title', media: other }), 'A203', 'content.template.media')
  })
  prove(`template.${kind}.title`, async () => {
    assert.equal(verdict(one, filled({ title: words(title), description: 'words' })), null)
    assert.equal(verdict(one, filled({ title: words(title + 1), description: 'words' })), 'A415')
    await accepts('rcs', sent({ title: words(30) }))
    await refuses('rcs', sent({ title: words(31) }), 'A415', 'content.template.title')
  })
  prove(`template.${kind}.text`, async () => {
    assert.equal(verdict(one, filled({ description: words(text) })), null)
    assert.equal(verdict(one, filled({ description: words(text + 1) })), 'A328')
    await accepts('rcs', sent({ description: words(150) }))
    await refuses('rcs', sent({ description: words(151) }), 'A328', 'content.template.description')
  })
  prove(`template.${kind}.cards`, async () => {
    assert.equal(verdict(one, expert(1)), null)
    assert.equal(verdict(one, expert(1, 1)), 'A406')
    await refuses('rcs', rcs({ ...ids, content: undefined, ...expert(1, 1) }), 'A406', 'buttons')
    await refuses('rcs', rcs({ ...ids, content: { carousel: [{ title: 'a' }, { title: 'b' }] } }), 'A404')
  })
  prove(`template.${kind}.buttons`, async () => {
    for (let count = 0; count <= buttons; count++) assert.equal(verdict(one, expert(count)), null)
    assert.equal(verdict(one, expert(buttons + 1)), 'A406')
    await accepts('rcs', rcs({ ...ids, content: undefined, ...expert(2) }))
    await refuses('rcs', rcs({ ...ids, content: undefined, ...expert(3) }), 'A406', 'buttons[0].suggestions')
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
