import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Value } from 'typebox/value'
import { rcs } from './channel.ts'
import { FlowEntry, SimpleBody } from './entry.ts'
import { dial, image, times } from '../../../test/support/carriers/rcs.ts'

const simple = {
  from: '15881234',
  to: '01012345678',
  formatId: 'SS000000',
  brandKey: 'BK.1',
  content: { standalone: { text: '#{name}님, 안녕하세요' } },
}

const without = (field: string) =>
  Object.fromEntries(Object.entries(simple).filter(([name]) => name !== field))
const flow = without('to')

const isSimpleBody = (change: object) => Value.Check(SimpleBody, { ...simple, ...change })
const isFlowEntry = (change: object) => Value.Check(FlowEntry, { ...flow, ...change })

test('an rcs flow entry needs no brandKey and has no to, ref or fallback', () => {
  assert.ok(isFlowEntry({}))
  assert.ok(Value.Check(FlowEntry, { from: '15881234', formatId: 'SS000000', content: {} }))
  for (const field of ['to', 'ref', 'fallback']) assert.ok(!isFlowEntry({ [field]: 'x' }), field)
})

test('the options of the flow are accepted there and not by the simple send', () => {
  for (const option of [
    { groupId: 'g' },
    { copyAllowed: '1' },
    { agencyId: 'a' },
    { agencyKey: 'k' },
    { ttl: '60' },
  ]) {
    assert.ok(isFlowEntry(option))
    assert.ok(!isSimpleBody(option))
  }
})

const values: readonly (readonly [string, readonly unknown[], readonly unknown[]])[] = [
  ['expiryOption', ['1', '2', '3', '4'], ['0', '5', '', 1]],
  ['header', ['0', '1'], ['2', 'Y', true]],
  ['copyAllowed', ['0', '1'], ['2', 'Y', true]],
  ['groupId', ['g'.repeat(20)], ['g'.repeat(21), '']],
  ['formatId', ['f'.repeat(40)], ['f'.repeat(41), '']],
  ['brandKey', ['b'.repeat(64)], ['b'.repeat(65), '']],
  ['body', [{}, { title1: 'x', layout: { width: 1 } }], ['x', { title1: 1 }, { title1: null }]],
  [
    'buttons',
    [[{}], [{ suggestions: [{ action: { displayText: 'x', urlAction: {}, postback: { data: 'y' } } }] }]],
    [{}, [{ suggestions: {} }], [{ suggestions: [{ action: {} }] }], [{ button: [] }]],
  ],
]
for (const [field, taken, refused] of values) {
  test(`RCS ${field}: values of the right shape only`, () => {
    for (const value of taken) assert.ok(isFlowEntry({ [field]: value }), JSON.stringify(value))
    for (const value of refused) assert.ok(!isFlowEntry({ [field]: value }), JSON.stringify(value))
  })
}

test('RCS content: unknown fields are rejected, except keys of a template', () => {
  assert.ok(isSimpleBody({ content: { template: { anyKey: 'x', subContent: [{ subTitle: 'x' }] } } }))
  assert.ok(isSimpleBody({ content: { carousel: times(2, () => ({ media: image, button: [dial()] })) } }))
  for (const content of [
    ...[{ text: 'x' }, { standalone: { body: 'x' } }, { standalone: { subContent: [{ title: 'x' }] } }],
    ...[{ carousel: { text: 'x' } }, { carousel: [{ subContent: [] }] }, { template: { anyKey: 1 } }],
    ...[
      { standalone: { button: [{ type: 'BOOK', name: 'x' }] } },
      { standalone: { button: [{ type: 'DIAL' }] } },
    ],
  ]) {
    assert.ok(!isSimpleBody({ content }), JSON.stringify(content))
  }
})

test('every request field has a description, and every top-level field a result code', () => {
  const undescribed: string[] = []
  const walk = (schema: unknown, path: string): void => {
    if (typeof schema !== 'object' || schema === null) return
    const { properties = {}, items } = schema as { properties?: Record<string, object>; items?: object }
    for (const [name, field] of Object.entries(properties)) {
      if (!('description' in field)) undescribed.push(`${path}${name}`)
      walk(field, `${path}${name}.`)
    }
    walk(items, path)
  }
  walk(SimpleBody, '')
  walk(FlowEntry, '')
  assert.deepEqual(
    undescribed.filter((path) => !/suggestions\.(action|reply)/.test(path)),
    [],
  )
  const fields = [...Object.keys(SimpleBody.properties), ...Object.keys(FlowEntry.properties)]
  assert.deepEqual(
    fields.filter((field) => !(field in rcs.fieldCodes)),
    [],
  )
})
