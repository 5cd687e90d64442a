import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decodeText } from './text.ts'

test('decodes the default alphabet with its extensions', () => {
  const octets = Buffer.from([0x00, 0x01, 0x41, 0x7a, 0x7f, 0x1b, 0x65, 0x1b, 0x3c, 0x0a])
  assert.equal(decodeText(0, octets), '@£Azà€[\n')
  assert.equal(decodeText(0, Buffer.from([0x1b, 0x7f, 0x1b])), '  ')
})

test('decodes UTF-16 and does not change the octets', () => {
  const octets = Buffer.from('d55cae00d83dde00', 'hex')
  assert.equal(decodeText(8, octets), '한글😀')
  assert.equal(octets.toString('hex'), 'd55cae00d83dde00')
})

test('returns undefined for octets that are not text', () => {
  assert.equal(decodeText(0, Buffer.from([0x80])), undefined)
  assert.equal(decodeText(8, Buffer.from([0x00])), undefined)
  assert.equal(decodeText(14, Buffer.from([0xb0, 0xa1])), undefined)
})
