/** Tests the formatId table for `body` and `buttons` in the carrier standard. */
import { assertAccepted, getMedia, assertRejected } from '../api-assertions.ts'
import { rcs } from '../request-bodies.ts'
import { prove } from '../prove.ts'
import { formatCases, hasSubInfoLimit, findForbiddenKeys, type FormatCase } from '../rows/formats.ts'

const syllables = (length: number): string => '가'.repeat(length)
const button = (displayText = 'open'): object => ({
  action: { urlAction: { openUrl: { url: 'https://example.com' } }, displayText },
})

/** Returns the body key of the last card: `title`, or `title3` in a carousel of three. */
const lastKey = ({ cards }: FormatCase, key: string): string => (cards === 1 ? key : `${key}${cards}`)

async function message(format: FormatCase, change: object, buttons?: readonly object[]): Promise<object> {
  const { cards, image, title } = format
  const numbered = (key: string, value: string): object =>
    Object.fromEntries(
      Array.from({ length: cards }, (_, index) => [cards === 1 ? key : `${key}${index + 1}`, value]),
    )
  const body = {
    ...numbered(title > 0 ? 'title' : 'description', 'x'),
    ...(image === null ? {} : numbered('media', await getMedia(...image))),
  }
  const buttonField = buttons === undefined ? {} : { buttons }
  return rcs({ formatId: format.id, content: undefined, body: { ...body, ...change }, ...buttonField })
}

/** Tests both sides of a character limit, if the format has one. */
async function testLimit(format: FormatCase, key: string, max: number, tooLong: string): Promise<void> {
  if (max === 0) return
  const name = lastKey(format, key)
  await assertAccepted('rcs', await message(format, { [name]: syllables(max) }))
  await assertRejected('rcs', await message(format, { [name]: syllables(max + 1) }), tooLong, `body.${name}`)
}

for (const format of formatCases) {
  const { id, image, title, text, cards, buttons, label, subInfos } = format
  prove(`format.${id}.expert`, async () => {
    await assertAccepted('rcs', await message(format, {}))
    await testLimit(format, 'title', title, 'A425')
    await testLimit(format, 'description', text, 'A328')
    const media = lastKey(format, 'media')
    if (image !== null) {
      const [width, height] = image
      await assertRejected('rcs', await message(format, { [media]: undefined }), 'A425', `body.${media}`)
      const wrong = { [media]: await getMedia(width + 1, height) }
      await assertRejected('rcs', await message(format, wrong), 'A203', `body.${media}`)
    }
    const beyond = `title${cards + 1}`
    await assertRejected('rcs', await message(format, { [beyond]: 'x' }), 'A417', `body.${beyond}`)
    const some = (count: number): object[] => [{ suggestions: Array.from({ length: count }, () => button()) }]
    await assertAccepted('rcs', await message(format, {}, some(buttons)))
    await assertRejected(
      'rcs',
      await message(format, {}, some(buttons + 1)),
      'A406',
      'buttons[0].suggestions',
    )
    const many = Array.from({ length: cards + 1 }, () => ({ suggestions: [button()] }))
    await assertAccepted('rcs', await message(format, {}, many.slice(1)))
    await assertRejected('rcs', await message(format, {}, many), 'A406', 'buttons')
    if (label === null) return
    await assertAccepted('rcs', await message(format, {}, [{ suggestions: [button(syllables(label))] }]))
    const long = [{ suggestions: [button(syllables(label + 1))] }]
    await assertRejected(
      'rcs',
      await message(format, {}, long),
      'A427',
      'buttons[0].suggestions[0].action.displayText',
    )
  })

  const forbidden = findForbiddenKeys(format)
  if (forbidden.length > 0) {
    prove(`format.${id}.expert-lacks`, async () => {
      for (const key of forbidden) {
        const value = key === 'media' ? await getMedia(568, 528) : 'x'
        await assertRejected('rcs', await message(format, { [key]: value }), 'A425', `body.${key}`)
      }
    })
  }
  if (hasSubInfoLimit(id)) {
    prove(`format.${id}.expert-subInfos`, async () => {
      const some = Array.from({ length: subInfos }, (_, index) => [`subTitle${index + 1}`, 'x'] as const)
      await assertAccepted('rcs', await message(format, Object.fromEntries(some)))
      for (const key of ['subTitle', 'subDesc', 'subMediaUrl']) {
        const further = `${key}${subInfos + 1}`
        const value = key === 'subMediaUrl' ? 'https://example.com' : 'x'
        await assertRejected('rcs', await message(format, { [further]: value }), 'A425', `body.${further}`)
      }
    })
  }
}
