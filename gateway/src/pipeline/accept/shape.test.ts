import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { inspect } from 'node:util'
import { requireValid } from '../../channels/issues.ts'
import { channels } from '../../channels/registry.ts'
import { Problem } from '../../contract/problem.ts'
import { createShape, type Shape } from './shape.ts'

const to = '01012345678'
const rcsBody = { from: '15881234', to, formatId: 'SS000000', brandKey: 'k' }
const alimtalkEntry = { senderKey: 'k', msgType: 'AT', templateCode: 't', text: 'hello' }
const shapes = {
  rcs: createShape(channels.rcs.schema, channels.rcs.fieldCodes),
  alimtalk: createShape(channels.alimtalk.schema, channels.alimtalk.fieldCodes),
  alimtalkEntry: createShape(channels.alimtalk.entry!, channels.alimtalk.fieldCodes),
  mms: createShape(channels.mms.schema, channels.mms.fieldCodes),
}
const bodies = {
  rcs: rcsBody,
  alimtalk: { ...alimtalkEntry, to },
  alimtalkEntry,
  mms: { from: '0234567890', to, text: 'hello' },
}

function problemOf(shape: Shape, candidate: unknown, at = ''): Problem {
  try {
    requireValid((issues) => shape.check(candidate, at, issues))
  } catch (error) {
    assert.ok(error instanceof Problem, String(error))
    return error
  }
  assert.fail('the candidate was accepted')
}

const standalone = (card: object) => ({ content: { standalone: card } })
const rcsButton = (button: object) => standalone({ button: [button] })

const cases: Record<keyof typeof bodies, [change: object, code: string, path: string][]> = {
  rcs: [
    [rcsButton({ type: 'DIAL' }), 'A427', 'content.standalone.button[0].name'],
    [rcsButton({ type: 'DIAL', name: 7 }), 'A427', 'content.standalone.button[0].name'],
    [rcsButton({ type: 'PIGEON', name: 'x' }), 'A426', 'content.standalone.button[0].type'],
    [rcsButton({ type: 'URL', name: 'x', url: 7 }), 'A406', 'content.standalone.button[0].url'],
    [standalone({ button: {} }), 'A406', 'content.standalone.button'],
    [standalone({ subContent: [{}, { subDesc: 7 }] }), 'A424', 'content.standalone.subContent[1].subDesc'],
    [{ content: { standalone: [] } }, 'A415', 'content.standalone'],
    [{ content: [] }, 'A415', 'content'],
    [{ content: 'hello' }, 'A415', 'content'],
    [{ content: { carousel: {} } }, 'A417', 'content.carousel'],
    [{ fallback: { type: 'SMS' } }, 'A314', 'fallback.text'],
    [{ fallback: { type: 'SMS', text: 7 } }, 'A314', 'fallback.text'],
    [{ fallback: { type: 'LMS', text: 'x' } }, 'A312', 'fallback.type'],
    [{ fallback: { type: 'SMS', text: 'x', fileKey: 'x' } }, 'A317', 'fallback.fileKey'],
    [{ fallback: { type: 'SMS', text: 'x', from: 7 } }, 'A302', 'fallback.from'],
    [{ fallback: [] }, 'A300', 'fallback'],
    [{ brandKey: undefined }, 'A420', 'brandKey'],
    [{ header: '2' }, 'A411', 'header'],
    [{ body: { toString: 7 } }, 'A425', 'body.toString'],
  ],
  alimtalk: [
    [{ button: [{ type: 'XX', name: 'x' }] }, 'A524', 'button[0].type'],
    [{ button: [{ name: 'x' }] }, 'A524', 'button[0].type'],
    [{ button: [{ type: 'WL', name: 'x' }, { type: 'WL' }] }, 'A525', 'button[1].name'],
    [{ button: [{ type: 'WL', name: 'x', urlMobile: 7 }] }, 'A503', 'button[0].urlMobile'],
    [{ button: {} }, 'A503', 'button'],
    [{ fallback: { type: 'SMS', from: '0234567890' } }, 'A314', 'fallback.text'],
    [{ fallback: { type: 'LMS', from: '0234567890', text: 'x' } }, 'A312', 'fallback.type'],
    [{ senderKey: '' }, 'A502', 'senderKey'],
  ],
  alimtalkEntry: [
    [{ attachment: { button: [{ type: 'XX', name: 'x' }] } }, 'A524', 'attachment.button[0].type'],
    [{ attachment: [] }, 'A573', 'attachment'],
    [
      { attachment: { item: { list: [{ title: 7, description: 'x' }] } } },
      'A521',
      'attachment.item.list[0].title',
    ],
    [{ supplement: { quickReply: [{ type: 'XX', name: 'x' }] } }, 'A563', 'supplement.quickReply[0].type'],
    [{ supplement: { quickReply: [{ type: 'WL' }] } }, 'A564', 'supplement.quickReply[0].name'],
  ],
  mms: [
    [{ fileKey: 'x' }, 'A217', 'fileKey'],
    [{ fileKey: [7] }, 'A217', 'fileKey[0]'],
    [{ title: 7 }, 'A300', 'title'],
  ],
}

for (const name of ['rcs', 'alimtalk', 'alimtalkEntry', 'mms'] as const) {
  suite(`${name} names the field`, () => {
    test('a valid body is accepted', () => {
      assert.equal(
        requireValid((issues) => shapes[name].check(bodies[name], '', issues)),
        bodies[name],
      )
    })
    for (const [change, code, path] of cases[name]) {
      test(`${JSON.stringify(change)} is ${code}`, () => {
        const { code: found, message } = problemOf(shapes[name], { ...bodies[name], ...change })
        assert.equal(found, code)
        assert.ok(message.startsWith(`Invalid or empty '${path}': `), message)
      })
    }
  })
}

suite('a field that the API does not know', () => {
  for (const [change, path] of [
    [{ colour: 'red' }, 'colour'],
    [rcsButton({ type: 'DIAL', name: 'x', colour: 'red' }), 'content.standalone.button[0].colour'],
    [standalone({ subContent: [{ colour: 'red' }] }), 'content.standalone.subContent[0].colour'],
    [{ fallback: { type: 'SMS', text: 'x', colour: 'red' } }, 'fallback.colour'],
  ] as const) {
    test(`${path} is named, wherever it is`, () => {
      const { code, message } = problemOf(shapes.rcs, { ...rcsBody, ...change })
      assert.deepEqual([code, message], ['A300', `Wrong request: unknown field '${path}'`])
    })
  }

  test('is distinguished from a known field of the wrong type', () => {
    const { message } = problemOf(shapes.rcs, { ...rcsBody, content: { template: { word: 7 } } })
    assert.ok(message.startsWith("Invalid or empty 'content.template.word': "), message)
  })
})

test('a path begins at the position of the object in the request', () => {
  const at = 'messageFlow[2].alimtalk.'
  const wrong = { ...alimtalkEntry, attachment: { button: [{ type: 'WL' }] } }
  const { code, message } = problemOf(shapes.alimtalkEntry, wrong, at)
  assert.equal(code, 'A525')
  assert.match(message, /^Invalid or empty 'messageFlow\[2\]\.alimtalk\.attachment\.button\[0\]\.name'/)
})

for (const candidate of [[], null, 'hello', 7, undefined]) {
  test(`${inspect(candidate)} instead of an object is rejected`, () => {
    assert.equal(problemOf(shapes.mms, candidate).code, 'A011')
    const { code, message } = problemOf(shapes.mms, candidate, 'messageFlow[0].mms.')
    assert.deepEqual([code, message], ['A300', "Invalid or empty 'messageFlow[0].mms': must be an object"])
  })
}
