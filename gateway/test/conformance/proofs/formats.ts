/** Every row of the formatId table, both sides of each limit. Texts are of syllables: characters count, not bytes. */
import { accepts, mediaOf, refuses } from '../api-assertions.ts'
import { card, carousel, rcs, urlButton } from '../request-bodies.ts'
import { prove } from '../prove.ts'
import { formatCases, type FormatCase } from '../rows/formats.ts'

const words = (length: number): string => '가'.repeat(length)

/** A message of this format that is right; `change` is made to its first card. */
async function message(format: FormatCase, change: object = {}): Promise<object> {
  const plain = { ...(format.title > 0 ? { title: 'title' } : { text: 'text' }), ...(await imageOf(format)) }
  if (format.cards === 1) return card(format.id, { ...plain, ...change })
  const others = Array.from({ length: format.cards - 1 }, () => plain)
  return carousel(format.id, [{ ...plain, ...change }, ...others])
}

async function imageOf({ image }: FormatCase): Promise<object> {
  return image === null ? {} : { media: await mediaOf(...image) }
}

const first = ({ cards }: FormatCase): string => (cards === 1 ? 'content.standalone' : 'content.carousel[0]')

function proveImage(format: FormatCase): void {
  prove(`format.${format.id}.image`, async () => {
    const at = `${first(format)}.media`
    if (format.image === null) {
      await accepts('rcs', await message(format))
      await refuses('rcs', await message(format, { media: await mediaOf(568, 528) }), 'A415', at)
      return
    }
    const [width, height] = format.image
    await accepts('rcs', await message(format))
    await refuses('rcs', await message(format, { media: undefined }), 'A415', at)
    for (const [wrongWidth, wrongHeight] of [
      [width + 1, height],
      [width - 1, height],
      [width, height + 1],
      [width, height - 1],
    ] as const) {
      await refuses(
        'rcs',
        await message(format, { media: await mediaOf(wrongWidth, wrongHeight) }),
        'A203',
        at,
      )
    }
  })
}

function proveWords(format: FormatCase): void {
  prove(`format.${format.id}.title`, async () => {
    const at = `${first(format)}.title`
    if (format.title > 0) await accepts('rcs', await message(format, { title: words(format.title) }))
    else await accepts('rcs', await message(format))
    await refuses('rcs', await message(format, { title: words(format.title + 1) }), 'A415', at)
  })
  prove(`format.${format.id}.text`, async () => {
    if (format.text === 0) {
      await accepts('rcs', await message(format))
      await refuses('rcs', await message(format, { text: 'x' }), 'A415', `${first(format)}.text`)
      return
    }
    await accepts('rcs', await withText(format, format.text))
    const last = format.cards === 1 ? first(format) : `content.carousel[${format.cards - 1}]`
    await refuses('rcs', await withText(format, format.text + 1), 'A328', `${last}.text`)
  })
}

/** So many characters over all cards together. */
async function withText(format: FormatCase, length: number): Promise<object> {
  if (format.cards === 1) return message(format, { text: words(length) })
  const each = Math.floor(length / format.cards)
  const image = await imageOf(format)
  const cards = Array.from({ length: format.cards }, (_, index) => ({
    ...image,
    text: words(index < format.cards - 1 ? each : length - each * (format.cards - 1)),
  }))
  return carousel(format.id, cards)
}

function proveCards(format: FormatCase): void {
  const { id, cards } = format
  prove(`format.${id}.cards`, async () => {
    await accepts('rcs', await message(format))
    const item = { title: 'title' }
    if (cards === 1) {
      await refuses('rcs', carousel(id, [item, item]), 'A415', 'content')
      return
    }
    for (const wrong of [cards - 1, cards + 1]) {
      const list = Array.from({ length: wrong }, () => item)
      await refuses('rcs', carousel(id, list), 'A417', 'content.carousel')
    }
    await refuses('rcs', card(id, item), 'A415', 'content')
  })
}

function proveButtons(format: FormatCase): void {
  const { id, buttons, label } = format
  const some = (count: number): object => ({ button: Array.from({ length: count }, () => urlButton()) })
  prove(`format.${id}.buttons`, async () => {
    await accepts('rcs', await message(format, some(0)))
    await accepts('rcs', await message(format, some(buttons)))
    await refuses('rcs', await message(format, some(buttons + 1)), 'A406', `${first(format)}.button`)
  })
  if (label === null) return
  prove(`format.${id}.label`, async () => {
    await accepts('rcs', await message(format, { button: [urlButton(words(label))] }))
    const long = await message(format, { button: [urlButton(words(label + 1))] })
    await refuses('rcs', long, 'A427', `${first(format)}.button[0].name`)
  })
}

function proveSubInfos(format: FormatCase): void {
  const { id, subInfos } = format
  const some = (count: number): object => ({
    subContent: Array.from({ length: count }, () => ({ subTitle: 'title', subDesc: 'words' })),
  })
  prove(`format.${id}.subInfos`, async () => {
    await accepts('rcs', await message(format, some(subInfos)))
    await refuses('rcs', await message(format, some(subInfos + 1)), 'A424', `${first(format)}.subContent`)
  })
}

const megabyte = 1024 * 1024

function proveTotal(format: FormatCase): void {
  const { id, cards } = format
  const [width, height] = format.image!
  /** Distinct images that have so many bytes together. */
  const withImages = async (total: number): Promise<object> => {
    const each = Math.floor(megabyte / cards)
    const images = Array.from({ length: cards }, (_, index) =>
      mediaOf(width, height, index < cards - 1 ? each : total - each * (cards - 1), index),
    )
    return carousel(
      id,
      (await Promise.all(images)).map((media) => ({ title: 'title', media })),
    )
  }
  prove(`format.${id}.total`, async () => {
    await accepts('rcs', await withImages(megabyte))
    await refuses('rcs', await withImages(megabyte + 1), 'A200')
  })
}

for (const format of formatCases) {
  proveImage(format)
  proveWords(format)
  proveCards(format)
  proveButtons(format)
  if (format.cards > 1) proveTotal(format)
  else if (format.image !== null) proveSubInfos(format)
}

prove('format.SL000000.variant', async () => {
  const whole = { title: words(30), text: words(1300), media: await mediaOf(568, 528) }
  await accepts('rcs', card('SMwThT00', whole))
  await refuses('rcs', card('SL000000', whole), 'A415', 'content.standalone.media')
})

prove('limit.formats', async () => {
  const flow = (standalone: object): object => ({
    messageFlow: [{ rcs: { ...rcs({ to: undefined }), formatId: 'SL000000', content: { standalone } } }],
    destinations: [{ to: '01000000001' }],
  })
  const long = { title: words(30), text: words(1300), button: [urlButton(words(17))] }
  await destinationIs('A000', flow(long))
  await destinationIs('A328', flow({ ...long, text: words(1301) }))
  await destinationIs('A427', flow({ ...long, button: [urlButton(words(18))] }))
  await destinationIs('A415', flow({ ...long, title: words(31) }))
})

async function destinationIs(code: string, body: object): Promise<void> {
  const [destination] = (await accepts('omni', body)).body.data!.destinations!
  if (destination!.code !== code) throw new Error(`${destination!.code} ${destination!.result}, not ${code}`)
}
