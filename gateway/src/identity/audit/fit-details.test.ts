import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fitDetails } from './fit-details.ts'

const fit = (details: object, max: number): unknown => {
  const text = fitDetails(JSON.stringify(details), max)
  assert.ok(text.length <= max, `${text.length}`)
  return JSON.parse(text)
}
const long = (length: number): string => 'x'.repeat(length - 2)

test('short details are unchanged', () => {
  const details = { list: { from: [], to: [long(50)] }, n: 1 }
  assert.deepEqual(fit(details, JSON.stringify(details).length), details)
})

test('only the longest fields are replaced by their size', () => {
  const details = {
    countries: { from: [], to: ['*'] },
    list: { from: long(200), to: long(300) },
    text: long(400),
  }
  const text = { omittedCharacters: 400 }
  const to = { omittedCharacters: 300 }
  assert.deepEqual(fit(details, 700), { ...details, text })
  assert.deepEqual(fit(details, 400), { ...details, list: { ...details.list, to }, text })
  assert.deepEqual(fit(details, 200), { ...details, text, list: { from: { omittedCharacters: 200 }, to } })
})

test('a field of very many short fields is replaced as a whole', () => {
  const many = Object.fromEntries(Array.from({ length: 500 }, (_, n) => [`n${n}`, n]))
  const { many: shown, kept } = fit({ many, kept: ['*'] }, 200) as { many: object; kept: unknown }
  assert.deepEqual([Object.keys(shown), kept], [['omittedCharacters'], ['*']])
})

test('the hosts of a route are always kept', () => {
  const hosts = { from: ['a.example'], to: ['b.example'] }
  const many = Object.fromEntries(Array.from({ length: 500 }, (_, n) => [`n${n}`, n]))
  const { length } = JSON.stringify({ ...many, hosts })
  assert.deepEqual(fit({ ...many, hosts }, 200), { omittedCharacters: length, hosts })
  assert.deepEqual(fit({ text: long(90), hosts }, 100), { text: { omittedCharacters: 90 }, hosts })
})

test('very many fields are replaced by their total size', () => {
  const many = Object.fromEntries(Array.from({ length: 500 }, (_, n) => [`n${n}`, n]))
  assert.deepEqual(fit(many, 200), { omittedCharacters: JSON.stringify(many).length })
})

test('one long option of a link does not remove the others', () => {
  const details = {
    options: {
      from: { url: 'https://a.example', templates: long(900) },
      to: { url: 'https://b.example', templates: long(900) },
    },
  }
  const templates = { omittedCharacters: 900 }
  assert.deepEqual(fit(details, 300), {
    options: { from: { url: 'https://a.example', templates }, to: { url: 'https://b.example', templates } },
  })
})

test('a short field is kept next to a list of very many fields', () => {
  const errors = Object.fromEntries(Array.from({ length: 2_000 }, (_, n) => [`E${n}`, 'refused']))
  const details = { address: { url: long(300) }, options: { answer: { errors } } }
  const { address, options } = fit(details, 16_384) as typeof details
  assert.deepEqual(address, details.address)
  assert.deepEqual(Object.keys(options.answer.errors), ['omittedCharacters'])
})
