import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cpuMs } from '../../../test/support/measure/cpu-time.ts'
import fc from 'fast-check'
import { Issues, requireValid } from '../../channels/issues.ts'
import { invalidField, Problem } from '../../contract/problem.ts'
import { Filler, findPlaceholders, maxFilledText, maxFilledTotal } from './placeholders.ts'

const words = { name: 'Kim', 'order no': '4711', $1: 'dollar' }
const at = 'messageFlow[0].sms.'
const tooLong = (path: string, reason: string) => invalidField('A328', at + path, reason)
const fillWith = (filler: Filler, value: object): unknown =>
  filler.fill(value, findPlaceholders(value).texts, at, tooLong)
const fill = (value: object, given: Readonly<Record<string, string>> = words): unknown =>
  requireValid((issues) => fillWith(new Filler(given, issues), value))
const fillText = (text: string, given?: Readonly<Record<string, string>>): unknown =>
  (fill({ text }, given) as { readonly text: string }).text

test('fills in every text, at any depth', () => {
  const content = {
    text: '#{name}, your order #{order no}. Bye #{name}!',
    button: [{ name: 'for #{name}', url: 'https://a.example/#{order no}' }],
    attachment: { item: { list: [{ title: '#{name}', description: 'x' }] } },
  }
  assert.deepEqual(fill(content), {
    text: 'Kim, your order 4711. Bye Kim!',
    button: [{ name: 'for Kim', url: 'https://a.example/4711' }],
    attachment: { item: { list: [{ title: 'Kim', description: 'x' }] } },
  })
})

test('leaves the given content as it was', () => {
  const content = { text: '#{name}', button: [{ name: '#{name}' }] }
  fill(content)
  assert.deepEqual(content, { text: '#{name}', button: [{ name: '#{name}' }] })
})

for (const field of [
  'from',
  'senderKey',
  'templateCode',
  'formatId',
  'brandKey',
  'brandId',
  'agencyId',
  'agencyKey',
  'msgType',
  'sendType',
  'type',
  'ttl',
  'originCID',
]) {
  test(`never fills in ${field}`, () => {
    assert.deepEqual(fill({ [field]: '#{name}', text: '#{name}' }), { [field]: '#{name}', text: 'Kim' })
  })
}

test('never fills in the name of a field', () => {
  assert.deepEqual(fill({ '#{name}': 'x' }), { '#{name}': 'x' })
})

for (const [description, value, path, key] of [
  ['a text', { text: 'Dear #{who}' }, 'messageFlow[0].sms.text', 'who'],
  ['a button', { button: [{ name: 'x' }, { name: '#{who}' }] }, 'messageFlow[0].sms.button[1].name', 'who'],
  ['what an object inherits', { text: '#{constructor}' }, 'messageFlow[0].sms.text', 'constructor'],
  ['what an object inherits', { text: '#{toString}' }, 'messageFlow[0].sms.text', 'toString'],
  ['the prototype', { text: '#{__proto__}' }, 'messageFlow[0].sms.text', '__proto__'],
] as const) {
  test(`names the field and the placeholder without a value: #{${key}} in ${description}`, () => {
    assert.throws(
      () => fill(value),
      (error: unknown) => {
        assert.ok(error instanceof Problem)
        assert.equal(error.code, 'A303')
        assert.ok(error.message.includes(`'${path}'`) && error.message.includes(`#{${key}}`), error.message)
        return true
      },
    )
  })
}

test('values for names of built-in object properties are ordinary values', () => {
  const odd = JSON.parse('{"__proto__":"a","constructor":"b","hasOwnProperty":"c"}') as Record<string, string>
  assert.equal(fillText('#{__proto__}#{constructor}#{hasOwnProperty}', odd), 'abc')
  assert.equal(({} as { a?: unknown }).a, undefined)
})

test('a field called __proto__ stays a field', () => {
  const content = JSON.parse('{"__proto__":{"text":"#{name}"}}') as object
  const filled = fill(content) as object
  assert.equal(JSON.stringify(filled), '{"__proto__":{"text":"Kim"}}')
  assert.equal(Object.getPrototypeOf(filled), Object.prototype)
})

test('a value is literal: neither a pattern nor a placeholder', () => {
  assert.equal(fillText('#{a}', { a: "$& $1 $' #{b}", b: 'never' }), "$& $1 $' #{b}")
  assert.equal(fillText('#{$1}'), 'dollar')
})

test('text without a placeholder is unchanged', () => {
  for (const text of ['#{}', '#{', '#name', '{name}', '# {name}', '$' + '{name}'])
    assert.equal(fillText(text), text)
})

test('numbers, booleans and null are unchanged', () => {
  const content = { price: 7, shown: true, nothing: null }
  assert.deepEqual(fill(content), content)
})

test('any JSON without placeholders is returned unchanged', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      fc.pre(!JSON.stringify(value).includes('#{'))
      assert.equal(JSON.stringify(fill({ value })), JSON.stringify({ value }))
    }),
  )
})

test('fills in every text of a template, whatever its keys are called', () => {
  const keys = { type: '#{name}', from: '#{name}', ttl: '#{name}', senderKey: '#{name}', title: '#{name}' }
  const filled = { type: 'Kim', from: 'Kim', ttl: 'Kim', senderKey: 'Kim', title: 'Kim' }
  assert.deepEqual(fill({ formatId: '#{name}', content: { template: keys } }), {
    formatId: '#{name}',
    content: { template: filled },
  })
  assert.deepEqual(fill({ from: '1', body: keys }), { from: '1', body: filled })
  assert.deepEqual(fill({ msgType: 'FT', messageVariable: { type: '#{name}' } }), {
    msgType: 'FT',
    messageVariable: { type: 'Kim' },
  })
})

test('a dry run names each placeholder without a value once in each text', () => {
  const issues = new Issues('all')
  fillWith(new Filler(words, issues), { text: '#{a}#{name}#{b}#{a}'.repeat(100), title: '#{a}' })
  assert.deepEqual(
    issues.all.map((problem) => (problem as ReturnType<typeof invalidField>).reason),
    ['#{a}', '#{b}', '#{a}'].map((key) => `replaceWords has no value for ${key}`),
  )
  assert.deepEqual(issues.hidden, [`${at}text`, `${at}title`])
})

test('shortens a long placeholder in the error text', () => {
  assert.throws(
    () => fillText(`#{${'k'.repeat(100_000)}}`),
    (error: Problem) => error.message.length < 200 && error.message.includes('#{kkk'),
  )
})

test('a text is limited with its values, before it is filled in', () => {
  const value = 'x'.repeat(maxFilledText / 2)
  assert.equal(fillText('#{a}#{a}', { a: value }), value + value)
  const tookMs = cpuMs(() => {
    assert.throws(
      // The filled text would have 32 GB.
      () => fillText('#{a}'.repeat(1_000), { a: 'x'.repeat(32_000_000) }),
      { code: 'A328', message: /at most 32768 characters with its values, found 32000000000/ },
    )
    assert.throws(() => fillText('#{a}#{a}.', { a: value }), { code: 'A328', field: `${at}text` })
  })
  assert.ok(tookMs < 50, `${tookMs} ms`)
})

test('all texts of a destination are limited together, over all its messages', () => {
  const value = 'x'.repeat(maxFilledText)
  const issues = new Issues('all')
  const filler = new Filler({ a: value }, issues)
  const texts = Array.from({ length: 3 }, () => '#{a}')
  assert.equal(maxFilledTotal, 4 * maxFilledText)
  fillWith(filler, { texts })
  assert.deepEqual(issues.all, [])
  assert.deepEqual(fillWith(filler, { texts }), { texts: [value, '#{a}', '#{a}'] })
  assert.deepEqual(
    issues.all.map((problem) => (problem as ReturnType<typeof invalidField>).field),
    [`${at}texts[1]`],
  )
})

test('a placeholder is a key without braces, in any text of braces', () => {
  const texts = fc.string({ unit: fc.constantFrom('#', '{', '}', 'a', '가'), maxLength: 40 })
  const values = new Proxy<Record<string, string>>(
    {},
    {
      get: (_, key) => `<${String(key)}>`,
      getOwnPropertyDescriptor: () => ({ configurable: true, value: '' }),
    },
  )
  fc.assert(
    fc.property(texts, (text) => {
      const expected = text.replaceAll(/#\{([^{}]+)\}/g, (_, key: string) => `<${key}>`)
      assert.equal(fillText(text, values), expected)
    }),
    { numRuns: 2_000 },
  )
})
