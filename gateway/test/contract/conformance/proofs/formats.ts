/**
 * Tests both sides of each limit of the formatId table. Texts are syllables, because limits count characters.
 */
import { assertAccepted, getMedia, assertRejected } from '../api-assertions.ts'
import { card, carousel, rcs, urlButton } from '../request-bodies.ts'
import { prove } from '../prove.ts'
import { formatCases, type FormatCase } from '../rows/formats.ts'

const syllables = (length: number): string => '가'.repeat(length)

/** Builds a valid message of a format with `change` applied to the first card. */
async function message(format: FormatCase, change: object = {}): Promise<object> {
  const plain = {
    ...(format.title > 0 ? { title: 'title' } : { text: 'text' }),
    ...(await createImageFields(format)),
  }
  if (format.cards === 1) return card(format.id, { ...plain, ...change })
  const others = Array.from({ length: format.cards - 1 }, () => plain)
  return carousel(format.id, [{ ...plain, ...change }, ...others])
}

async function createImageFields({ image }: FormatCase): Promise<object> {
  return image === null ? {} : { media: await getMedia(...image) }
}

const firstCard = ({ cards }: FormatCase): string =>
  cards === 1 ? 'content.standalone' : 'content.carousel[0]'

function proveImage(format: FormatCase): void {
  prove(`format.${format.id}.image`, async () => {
    const at = `${firstCard(format)}.media`
    if (format.image === null) {
      await assertAccepted('rcs', await message(format))
      await assertRejected('rcs', await message(format, { media: await getMedia(568, 528) }), 'A415', at)
      return
    }
    const [width, height] = format.image
    await assertAccepted('rcs', await message(format))
    await assertRejected('rcs', await message(format, { media: undefined }), 'A415', at)
    for (const [wrongWidth, wrongHeight] of [
      [width + 1, height],
      [width - 1, height],
      [width, height + 1],
      [width, height - 1],
    ] as const) {
      await assertRejected(
        'rcs',
        await message(format, { media: await getMedia(wrongWidth, wrongHeight) }),
        'A203',
        at,
      )
    }
  })
}

function proveWords(format: FormatCase): void {
  prove(`format.${format.id}.title`, async () => {
    const at = `${firstCard(format)}.title`
    if (format.title > 0)
      await assertAccepted('rcs', await message(format, { title: syllables(format.title) }))
    else await assertAccepted('rcs', await message(format))
    await assertRejected('rcs', await message(format, { title: syllables(format.title + 1) }), 'A415', at)
  })
  prove(`format.${format.id}.text`, async () => {
    if (format.text === 0) {
      await assertAccepted('rcs', await message(format))
      await assertRejected('rcs', await message(format, { text: 'x' }), 'A415', `${firstCard(format)}.text`)
      return
    }
    await assertAccepted('rcs', await withText(format, format.text))
    const last = format.cards === 1 ? firstCard(format) : `content.carousel[${format.cards - 1}]`
    await assertRejected('rcs', await withText(format, format.text + 1), 'A328', `${last}.text`)
  })
}

/** Builds a message with `length` characters over all cards. */
async function withText(format: FormatCase, length: number): Promise<object> {
  if (format.cards === 1) return message(format, { text: syllables(length) })
  const each = Math.floor(length / format.cards)
  const image = await createImageFields(format)
  const cards = Array.from({ length: format.cards }, (_, index) => ({
    ...image,
    text: syllables(index < format.cards - 1 ? each : length - each * (format.cards - 1)),
  }))
  return carousel(format.id, cards)
}

function proveCards(format: FormatCase): void {
  const { id, cards } = format
  prove(`format.${id}.cards`, async () => {
    await assertAccepted('rcs', await message(format))
    const item = { title: 'title' }
    if (cards === 1) {
      await assertRejected('rcs', carousel(id, [item, item]), 'A415', 'content')
      return
    }
    for (const wrong of [cards - 1, cards + 1]) {
      const list = Array.from({ length: wrong }, () => item)
      await assertRejected('rcs', carousel(id, list), 'A417', 'content.carousel')
    }
    await assertRejected('rcs', card(id, item), 'A415', 'content')
  })
}

function proveButtons(format: FormatCase): void {
  const { id, buttons, label } = format
  const some = (count: number): object => ({ button: Array.from({ length: count }, () => urlButton()) })
  prove(`format.${id}.buttons`, async () => {
    await assertAccepted('rcs', await message(format, some(0)))
    await assertAccepted('rcs', await message(format, some(buttons)))
    await assertRejected(
      'rcs',
      await message(format, some(buttons + 1)),
      'A406',
      `${firstCard(format)}.button`,
    )
  })
  if (label === null) return
  prove(`format.${id}.label`, async () => {
    await assertAccepted('rcs', await message(format, { button: [urlButton(syllables(label))] }))
    const long = await message(format, { button: [urlButton(syllables(label + 1))] })
    await assertRejected('rcs', long, 'A427', `${firstCard(format)}.button[0].name`)
  })
}

function proveSubInfos(format: FormatCase): void {
  const { id, subInfos } = format
  const some = (count: number): object => ({
    subContent: Array.from({ length: count }, () => ({ subTitle: 'title', subDesc: 'words' })),
  })
  prove(`format.${id}.subInfos`, async () => {
    await assertAccepted('rcs', await message(format, some(subInfos)))
    await assertRejected(
      'rcs',
      await message(format, some(subInfos + 1)),
      'A424',
      `${firstCard(format)}.subContent`,
    )
  })
}

const megabyte = 1024 * 1024

function proveTotal(format: FormatCase): void {
  const { id, cards } = format
  const [width, height] = format.image!
  /** Builds a message with distinct images of `total` bytes together. */
  const withImages = async (total: number): Promise<object> => {
    const each = Math.floor(megabyte / cards)
    const images = Array.from({ length: cards }, (_, index) =>
      getMedia(width, height, index < cards - 1 ? each : total - each * (cards - 1), index),
    )
    return carousel(
      id,
      (await Promise.all(images)).map((media) => ({ title: 'title', media })),
    )
  }
  prove(`format.${id}.total`, async () => {
    await assertAccepted('rcs', await withImages(megabyte))
    await assertRejected('rcs', await withImages(megabyte + 1), 'A200')
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
  const whole = { title: syllables(30), text: syllables(1300), media: await getMedia(568, 528) }
  await assertAccepted('rcs', card('SMwThT00', whole))
  await assertRejected('rcs', card('SL000000', whole), 'A415', 'content.standalone.media')
})

prove('limit.formats', async () => {
  const flow = (standalone: object): object => ({
    messageFlow: [{ rcs: { ...rcs({ to: undefined }), formatId: 'SL000000', content: { standalone } } }],
    destinations: [{ to: '01000000001' }],
  })
  const long = { title: syllables(30), text: syllables(1300), button: [urlButton(syllables(17))] }
  await assertDestinationCode('A000', flow(long))
  await assertDestinationCode('A328', flow({ ...long, text: syllables(1301) }))
  await assertDestinationCode('A427', flow({ ...long, button: [urlButton(syllables(18))] }))
  await assertDestinationCode('A415', flow({ ...long, title: syllables(31) }))
})

async function assertDestinationCode(code: string, body: object): Promise<void> {
  const [destination] = (await assertAccepted('omni', body)).body.data!.destinations!
  if (destination!.code !== code)
    throw new Error(`${destination!.code} ${destination!.result}, expected ${code}`)
}
