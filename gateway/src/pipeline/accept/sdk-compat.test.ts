import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { requireValid } from '../../channels/issues.ts'
import { channels } from '../../channels/registry.ts'
import { draftOmni, readOmni } from './omni.ts'
import { normalizeSdkBody } from './sdk-compat.ts'
import { createShape } from './shape.ts'

const kakao = { senderKey: 'key', to: '01012345678', text: 'Hello' }
const rcs = { from: '15880000', to: '01012345678', formatId: 'SL000000', brandKey: 'brand' }
const action = { type: 'MAP_LOC', name: 'Map' }
const carouselCard = (name: string) => ({
  header: name,
  message: name,
  attachment: {
    image: { imgUrl: 'https://img.example/1', imgLink: null },
    button: [{ type: 'WL', name: 'Go', urlMobile: 'https://m.example', urlPC: 'https://example' }],
  },
})

function check(channel: keyof typeof channels, body: unknown): void {
  const { schema, fieldCodes } = channels[channel]
  requireValid((issues) => createShape(schema, fieldCodes).check(body, '', issues))
}

const simple: readonly [description: string, channel: keyof typeof channels, body: object][] = [
  ['Java: no files as []', 'mms', { from: '15880000', to: '01012345678', text: 'a', ref: null, fileKey: [] }],
  ['C#: unset as empty', 'alimtalk', { ...kakao, msgType: 'AT', templateCode: 'T', title: '', link: null }],
  ['C#: adults', 'brandmessage', { ...kakao, msgType: 'FT', sendType: 'free', adults: 'N', targeting: '' }],
  ['Go: urlPC', 'friendtalk', { ...kakao, msgType: 'FT', button: [{ type: 'AC', name: 'a', urlPC: 'b' }] }],
  [
    'C#: names of RCS in capitals',
    'rcs',
    {
      ...rcs,
      content: {
        standalone: {
          text: 'a',
          button: [
            { ...action, Label: 'a', Latitude: '1', Longitude: '2', FallbackUrl: 'https://a.example' },
          ],
          subContent: [{ SubTitle: 'a', SubDesc: 'b', SubMedia: null, SubMediaUrl: null }],
        },
      },
    },
  ],
  [
    'Java: subUrl',
    'rcs',
    { ...rcs, content: { template: { subContent: [{ subTitle: 'a', subUrl: 'b' }] } } },
  ],
]

const expert = { from: '15880000', formatId: 'SS000000', body: { description: 'a' } }
const omni: readonly [description: string, step: object][] = [
  ['Go: data of RCS', { rcs: { ...expert, rcsData: { a: 'b' } } }],
  [
    'Java: a carousel',
    {
      friendtalk: {
        senderKey: 'key',
        msgType: 'FC',
        text: null,
        addtioaddtionalContent: '',
        carousel: {
          head: null,
          list: [carouselCard('a'), carouselCard('b')],
          tail: { title: 'https://example', urlMobile: 'https://m.example' },
        },
      },
    },
  ],
  [
    'Go: an item list',
    {
      alimtalk: {
        senderKey: 'key',
        msgType: 'AT',
        templateCode: 'T',
        text: 'Hello',
        attachment: {
          item: {
            list: [
              { title: 'a', description: 'b', urlMobile: '' },
              { title: 'c', description: 'd', urlMobile: '' },
            ],
            summary: { urlMobile: '' },
          },
        },
        supplement: { quickReply: [{ type: 'AL', name: 'a', schemeIOS: 'b://', schemeAndroid: 'c://' }] },
      },
    },
  ],
  [
    'C#: copyAllow',
    { rcs: { ...rcs, to: undefined, copyAllow: '1', brandId: '', content: { standalone: { text: 'a' } } } },
  ],
]

describe('normalizeSdkBody', () => {
  for (const [description, channel, sent] of simple) {
    test(`a body that is rejected without it is accepted: ${description}`, () => {
      assert.throws(() => check(channel, sent))
      check(channel, normalizeSdkBody(channel, sent))
    })
  }

  for (const [description, step] of omni) {
    test(`a flow that is rejected without it is accepted: ${description}`, () => {
      const body = { destinations: [{ to: '01012345678' }], messageFlow: [step] }
      const sent = JSON.parse(JSON.stringify(body)) as unknown
      assert.throws(() => draftOmni(requireValid((issues) => readOmni(sent, issues))))
      const [destination] = draftOmni(
        requireValid((issues) => readOmni(normalizeSdkBody('omni', sent), issues)),
      )
      assert.ok(destination !== undefined && 'draft' in destination, JSON.stringify(destination))
    })
  }

  test('accepts replaceWords under the name that C# uses, and leaves its values unchanged', () => {
    const words = { title: '', adults: 'x', clientKey: 'y' }
    const body = { destinations: [{ to: '1', replaceWord: words }], messageFlow: [] }
    const normalized = normalizeSdkBody('omni', body) as { destinations: { replaceWords: object }[] }
    assert.deepEqual(normalized.destinations[0]?.replaceWords, words)
  })

  test('drops the empty content that JavaScript sends beside a body', () => {
    assert.deepEqual(normalizeSdkBody('rcs', { ...expert, content: {} }), expert)
  })

  test("drops Go's key of a destination", () => {
    const body = { destinations: [{ to: '1', clientKey: 'a' }], messageFlow: [] }
    assert.deepEqual(normalizeSdkBody('omni', body), { destinations: [{ to: '1' }], messageFlow: [] })
  })

  test('drops replaceWords without values, and values of null', () => {
    for (const [sent, expected] of [
      [null, {}],
      [[], {}],
      [{}, {}],
      [{ name: null, member: true }, { replaceWords: { member: 'true' } }],
    ] as const) {
      const body = { destinations: [{ to: '1', replaceWords: sent }], messageFlow: [] }
      const normalized = normalizeSdkBody('omni', body) as { destinations: object[] }
      assert.deepEqual(normalized.destinations, [{ to: '1', ...expected }])
    }
  })

  test("drops Python's empty flow next to a form, and no other flow", () => {
    const destinations = [{ to: '1' }]
    const form = { destinations, messageForm: 'F1' }
    assert.deepEqual(normalizeSdkBody('omni', { ...form, messageFlow: [{}] }), form)
    for (const kept of [
      { destinations, messageFlow: [{}] },
      { ...form, messageFlow: [{ sms: {} }] },
    ]) {
      assert.deepEqual(normalizeSdkBody('omni', kept), kept)
    }
  })

  test('converts the messages of a form like those of a flow', () => {
    const sent = { messageForm: [{ mms: { from: '1', text: 'a', fileKey: [] } }] }
    assert.deepEqual(normalizeSdkBody('form', sent), { messageForm: [{ mms: { from: '1', text: 'a' } }] })
  })

  test('never changes values of the customer or the text', () => {
    const data = { title: '', urlPC: 'x', fileKey: [], gone: null }
    const bodies: [string, object][] = [
      ['brandmessage', { ...kakao, messageVariable: data, buttonVariable: data, carouselVariable: [data] }],
      ['rcs', { ...rcs, body: data, buttons: [data] }],
      ['rcs', { ...rcs, content: { template: data } }],
      ['sms', { from: '1', to: '2', text: '' }],
    ]
    for (const [channel, body] of bodies) assert.deepEqual(normalizeSdkBody(channel, body), body)
  })

  test('leaves a field with both spellings, which the schema rejects', () => {
    const body = { ...kakao, adult: 'Y', adults: 'N' }
    assert.deepEqual(normalizeSdkBody('brandmessage', body), body)
  })

  test('never changes its input, and has nothing to convert in its own output', () => {
    const names = [
      'title',
      'urlPC',
      'fileKey',
      'adults',
      'content',
      'carousel',
      'tail',
      'button',
      'messageFlow',
    ]
    const { tree } = fc.letrec((tie) => ({
      leaf: fc.constantFrom('', null, 'a', 1),
      tree: fc.oneof(
        { maxDepth: 6 },
        tie('leaf'),
        fc.array(tie('tree'), { maxLength: 3 }),
        fc.dictionary(fc.constantFrom(...names), tie('tree'), { maxKeys: 5 }),
      ),
    }))
    fc.assert(
      fc.property(fc.constantFrom('sms', 'rcs', 'omni', 'form'), tree, (channel, body) => {
        const before = JSON.stringify(body)
        const once = normalizeSdkBody(channel, body)
        assert.equal(JSON.stringify(body), before)
        assert.deepEqual(normalizeSdkBody(channel, once), once)
      }),
    )
  })

  test('returns non-objects and deeply nested values unchanged', () => {
    for (const body of [undefined, null, '', 1, []]) assert.equal(normalizeSdkBody('sms', body), body)
    const deep: unknown = JSON.parse(`${'{"item":'.repeat(20_000)}1${'}'.repeat(20_000)}`)
    assert.equal(normalizeSdkBody('friendtalk', { attachment: deep }) !== undefined, true)
  })
})
