/** Tests each field of the RCS request objects: its type, its place in the submission, and that it can be absent. */
import assert from 'node:assert/strict'
import { assertAccepted, assertRejected, getMedia } from '../api-assertions.ts'
import { findSubmittedContent } from '../carrier.ts'
import { prove } from '../prove.ts'
import { card, carousel, rcs, urlButton } from '../request-bodies.ts'
import { objectFields, type ObjectFieldCase } from '../rows/rcs-object-fields.ts'

interface ObjectUnderTest {
  /** Path before the name of the field. */
  readonly path: string
  readonly media: () => Promise<string>
  /** Builds a valid message in which the object has these fields. */
  readonly build: (change: object) => Promise<object>
}

const wide = (): Promise<string> => getMedia(900, 560)
const medium = (): Promise<string> => getMedia(696, 504)

const objects: Readonly<Record<string, ObjectUnderTest>> = {
  standalone: {
    path: 'content.standalone',
    media: wide,
    build: async (change) => card('OMTBNV0001', { title: 'title', media: await wide(), ...change }),
  },
  carousel: {
    path: 'content.carousel[0]',
    media: medium,
    build: async (change) => {
      const item = { title: 'title', media: await medium() }
      return carousel('CMwMhM0200', [{ ...item, ...change }, item])
    },
  },
  template: {
    path: 'content.template',
    media: medium,
    build: (change) =>
      Promise.resolve(
        rcs({ formatId: 'UBR.fields-1', content: { template: { description: 'words', ...change } } }),
      ),
  },
  subContent: {
    path: 'content.standalone.subContent[0]',
    media: () => getMedia(300, 300),
    build: async (change) =>
      card('OMTBNV0001', {
        title: 'title',
        media: await wide(),
        subContent: [{ subDesc: 'words', ...change }],
      }),
  },
}

/** Fields that replace the only text of an object. */
const replacements: Readonly<Record<string, object>> = {
  title: { text: 'words' },
  description: { title: 'title' },
  subDesc: { subTitle: 'title' },
}

function createValue(name: string, media: string): unknown {
  if (name === 'button') return [urlButton('tap')]
  if (name === 'subContent') return [{ subTitle: 'value of subContent' }]
  if (name.endsWith('Url')) return 'https://example.com/value'
  return /media$/i.test(name) ? media : `value of ${name}`
}

async function findSubmitted(message: object, becomes: string): Promise<unknown> {
  const { msgKey } = (await assertAccepted('rcs', message)).body
  const { body, buttons } = await findSubmittedContent(msgKey!)
  if (becomes !== 'buttons') return (body as Readonly<Record<string, unknown>>)[becomes]
  const [first] = buttons as { suggestions: { action: { displayText: string } }[] }[]
  return first!.suggestions.map(({ action }) => urlButton(action.displayText))
}

function proveField(object: string, name: string, field: ObjectFieldCase): void {
  const { becomes, code, wrongType = 1, wrong = [], isRequired } = field
  const { path, media, build } = objects[object]!
  prove(`rcs-field.${object}.${name}`, async () => {
    const value = createValue(name, await media())
    const expected = becomes === 'subTitle1' ? `value of ${name}` : value
    assert.deepEqual(await findSubmitted(await build({ [name]: value }), becomes), expected)
    if (/media$/i.test(name)) {
      const fileKey = String(value).replace('maapfile://', '')
      assert.equal(await findSubmitted(await build({ [name]: fileKey }), becomes), value)
    }
    if (!isRequired) await assertAccepted('rcs', await build({ ...replacements[name], [name]: undefined }))
    for (const [wrongValue, wrongCode] of [[wrongType, code] as const, ...wrong])
      await assertRejected('rcs', await build({ [name]: wrongValue }), wrongCode, `${path}.${name}`)
  })
}

for (const [object, fields] of Object.entries(objectFields))
  for (const [name, field] of Object.entries(fields)) proveField(object, name, field)

const action = { urlAction: { openUrl: { url: 'https://example.com' } }, displayText: 'open' }
const expert = (suggestions: unknown): object =>
  rcs({ content: undefined, body: { title: 'title', description: 'words' }, buttons: [{ suggestions }] })
const withAction = (change: object): object => expert([{ action: { ...action, ...change } }])
const at = 'buttons[0].suggestions'

/** Sends buttons and asserts that they leave as they were given. */
async function assertPassedOn(message: object): Promise<void> {
  const { msgKey } = (await assertAccepted('rcs', message)).body
  const { buttons } = message as { buttons: unknown }
  assert.deepEqual((await findSubmittedContent(msgKey!)).buttons, JSON.parse(JSON.stringify(buttons)))
}

prove('rcs-field.buttons.suggestions', async () => {
  await assertPassedOn(expert([{ action }, { action }]))
  await assertPassedOn(expert(undefined))
  for (const wrong of ['x', {}, 1]) await assertRejected('rcs', expert(wrong), 'A425', at)
})

prove('rcs-field.buttons.url', async () => {
  await assertPassedOn(withAction({ urlAction: { openUrl: { url: 'https://example.com/?a=가' } } }))
  for (const url of [undefined, '', 1]) {
    const wrong = withAction({ urlAction: { openUrl: { url } } })
    await assertRejected('rcs', wrong, 'A406', `${at}[0].action.urlAction.openUrl.url`)
  }
})

prove('rcs-field.buttons.displayText', async () => {
  await assertPassedOn(withAction({ displayText: '여기' }))
  for (const displayText of [undefined, 1])
    await assertRejected('rcs', withAction({ displayText }), 'A425', `${at}[0].action.displayText`)
})

prove('rcs-field.buttons.postback', async () => {
  await assertPassedOn(withAction({ postback: { data: 'tapped' } }))
  await assertPassedOn(withAction({}))
  for (const data of [undefined, 1])
    await assertRejected('rcs', withAction({ postback: { data } }), 'A425', `${at}[0].action.postback.data`)
})
