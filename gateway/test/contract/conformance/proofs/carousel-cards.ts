/** Tests that the limits of a carousel card hold for every card, and how characters are counted. */
import { assertAccepted, assertRejected, getMedia } from '../api-assertions.ts'
import { prove } from '../prove.ts'
import { card, carousel, urlButton } from '../request-bodies.ts'
import { formatCases, type FormatCase } from '../rows/formats.ts'

const syllables = (length: number): string => '가'.repeat(length)

function proveEveryCard({ id, image, cards, title, buttons, label }: FormatCase): void {
  const [width, height] = image!
  prove(`format.${id}.every-card`, async () => {
    const createButtons = (count: number, length: number): object[] =>
      Array.from({ length: count }, () => urlButton(syllables(length)))
    const full = {
      title: syllables(title),
      media: await getMedia(width, height),
      button: createButtons(buttons, label!),
    }
    const withLast = (change: object): object =>
      carousel(id, [...Array.from({ length: cards - 1 }, () => full), { ...full, ...change }])
    await assertAccepted('rcs', withLast({}))
    const at = `content.carousel[${cards - 1}]`
    for (const [change, code, field] of [
      [{ title: syllables(title + 1) }, 'A415', 'title'],
      [{ media: undefined }, 'A415', 'media'],
      [{ media: await getMedia(width + 1, height) }, 'A203', 'media'],
      [{ button: createButtons(buttons + 1, label!) }, 'A406', 'button'],
      [{ button: createButtons(1, label! + 1) }, 'A427', 'button[0].name'],
    ] as const) {
      await assertRejected('rcs', withLast(change), code, `${at}.${field}`)
    }
  })
}

formatCases.filter(({ cards }) => cards > 1).forEach(proveEveryCard)

prove('format.characters', async () => {
  for (const character of ['가', 'a', '7', '.', '힣', 'é']) {
    await assertAccepted('rcs', card('SS000000', { text: character.repeat(100) }))
    const long = card('SS000000', { text: character.repeat(101) })
    await assertRejected('rcs', long, 'A328', 'content.standalone.text')
  }
})
