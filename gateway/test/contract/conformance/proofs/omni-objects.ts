import assert from 'node:assert/strict'
import { assertFlowRejected, entry } from '../flows.ts'
import { runOnce } from '../once.ts'
import { prove } from '../prove.ts'
import { relay } from '../relay.ts'
import { alimtalk, friendtalk } from '../request-bodies.ts'
import { omniObjectCases } from '../rows/omni-objects.ts'

type Fields = Readonly<Record<string, unknown>>

const button = [{ type: 'WL', name: 'open', urlMobile: 'https://example.com' }]
const item = {
  list: [
    { title: 'one', description: 'first' },
    { title: 'two', description: 'second' },
  ],
  summary: { title: 'sum', description: '1,000' },
}
const entries: Readonly<Record<string, object>> = {
  alimtalk: entry(
    alimtalk({
      attachment: { button, item, itemHighlight: { title: 'high', description: 'light' } },
      supplement: { quickReply: [{ type: 'BK', name: 'reply' }] },
    }),
  ),
  friendtalk: entry(
    friendtalk({
      msgType: 'FI',
      attachment: {
        button,
        image: { imgUrl: 'https://images.example/1.jpg', imgLink: 'https://example.com' },
      },
    }),
  ),
}

const relayEntries = runOnce(async () => ({
  alimtalk: await relay('alimtalk', entries.alimtalk!),
  friendtalk: await relay('friendtalk', entries.friendtalk!),
}))

function getAt(fields: unknown, path: string): unknown {
  return path.split('.').reduce((value, name) => (value as Fields)[name], fields)
}

/** Returns a copy with another value at the path. */
function withAt(fields: Fields, [name, ...rest]: readonly string[], value: unknown): Fields {
  return { ...fields, [name!]: rest.length === 0 ? value : withAt(fields[name!] as Fields, rest, value) }
}

for (const [id, { channel, path, code }] of Object.entries(omniObjectCases)) {
  prove(`omni-object.${id}`, async () => {
    const whole = entries[channel] as Fields
    assert.deepEqual(getAt((await relayEntries())[channel], path), getAt(whole, path))
    const wrong = withAt(whole, path.split('.'), 'x')
    await assertFlowRejected([{ [channel]: wrong }], code, `messageFlow[0].${channel}.${path}`)
  })
}
