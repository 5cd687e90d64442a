import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MalformedMultipart, parseBoundary, parseHeaderValue, readMultipart } from './multipart.ts'
import { mutate, rounds } from '../testing/mutate.ts'
import { seededRandom } from './unique-numbers.ts'

const sample = [
  'a preamble',
  '--b',
  'Content-Type: text/xml; charset="euc-kr"',
  'Content-ID: <start>',
  '',
  '<a>--b is text here</a>',
  '',
  '--b  ',
  'Content-Type: multipart/related;',
  '\tboundary=inner',
  '',
  'second',
  '--b--',
  '',
].join('\r\n')

const texts = (body: string, boundary = 'b'): string[] =>
  readMultipart(Buffer.from(body), boundary).map((part) => part.body.toString())

test('reads parts, folded headers and their parameters', () => {
  const parts = readMultipart(Buffer.from(sample), 'b')
  assert.deepEqual(
    parts.map((part) => part.body.toString()),
    ['<a>--b is text here</a>\r\n', 'second'],
  )
  assert.equal(parts[0]!.headers.get('content-id'), '<start>')
  assert.equal(parseBoundary(parts[1]!.headers.get('content-type')!), 'inner')
  const { value, parameters } = parseHeaderValue('Form-Data; name="a;\\"b"; filename=c d ; x=')
  assert.deepEqual([value, ...parameters.values()], ['form-data', 'a;"b', 'c d', ''])
})

test('keeps binary content as it is', () => {
  const octets = Buffer.from(Array.from({ length: 512 }, (_, index) => index & 0xff))
  const body = Buffer.concat([Buffer.from('--b\r\nA: b\r\n\r\n'), octets, Buffer.from('\r\n--b--')])
  assert.deepEqual(readMultipart(body, 'b')[0]!.body, octets)
})

test('accepts bare line feeds, a part without headers and an empty part', () => {
  assert.deepEqual(texts('--b\n\none\n--b\nA: b\n\n\n--b--'), ['one', ''])
})

test('refuses bodies without boundary, end or colon, or with too many parts', () => {
  assert.throws(() => parseBoundary('multipart/related; type="text/xml"'), MalformedMultipart)
  assert.throws(() => parseBoundary(`multipart/related; boundary=${'x'.repeat(71)}`), MalformedMultipart)
  assert.throws(() => texts('nothing'), /boundary not found/)
  assert.throws(() => texts('--b\r\n\r\none\r\n'), /closing boundary/)
  assert.throws(() => texts('--b\r\nA: b\r\n--b--'), /empty line after its headers/)
  assert.throws(() => texts('--b\r\nno colon\r\n\r\nx\r\n--b--'), /no colon/)
  assert.throws(() => texts(`--b\r\n${'A: b\r\n'.repeat(65)}\r\nx\r\n--b--`), /64 headers/)
  assert.throws(
    () => texts(`--b\r\nA: ${'x'.repeat(9000)}\r\n\r\nx\r\n--b--`),
    /empty line after its headers/,
  )
  assert.throws(() => texts(`${'--b\r\n\r\nx\r\n'.repeat(65)}--b--`), /64 parts/)
})

const count = rounds(5000)

test(`parses or refuses ${count} mutated bodies`, () => {
  const random = seededRandom(1)
  let read = 0
  for (let round = 0; round < count; round++) {
    try {
      readMultipart(mutate(Buffer.from(sample), random), 'b')
      read++
    } catch (error) {
      assert.ok(error instanceof MalformedMultipart, String(error))
    }
  }
  assert.ok(read > count / 10 && read < count * 0.98, `${read} were read`)
})

test('parses a megabyte of near boundaries in linear time', () => {
  const start = performance.now()
  assert.throws(() => texts('--b\r\n\r\n' + '\r\n--bx'.repeat(150_000)), /closing boundary/)
  assert.ok(performance.now() - start < 2000)
})
