/** The ciphertext of messages: every text comes back, nothing that was changed or moved does, and no counter block is used twice. */
import assert from 'node:assert/strict'
import { createCipheriv, createHmac, createSecretKey, hkdfSync, randomBytes } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { DamagedCiphertext, encryptBytes, type Place } from './ciphertext.ts'
import { Keystream, wordBytes } from './keystream.ts'
import { MessageKey } from './message-key.ts'

const dataKey = randomBytes(32)
const key = new MessageKey(7, dataKey)
const encrypt = (text: string): Buffer => Buffer.from(key.encrypt(text, place), 'base64')
const place: Place = ['messages', 'sealed', '20261114100000000A1AAAAAAAAAAAAA']

test('every text comes back, also one that is longer than a part of the keystream', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 300 }), (text) => {
      assert.equal(key.decrypt(encrypt(text), place), text)
    }),
  )
  for (const length of [0, 1, 15, 16, 17, 16_384, 16_385, 300_000]) {
    const text = 'x'.repeat(length)
    assert.equal(new MessageKey(7, dataKey).decrypt(encrypt(text), place), text)
  }
})

test('nothing that was changed by a bit, cut off or copied to another place is decrypted', () => {
  const ciphertext = encrypt('{"to":"01012345678","steps":[]}')
  for (let bit = 0; bit < ciphertext.length * 8; bit++) {
    const changed = Buffer.from(ciphertext)
    changed[bit >> 3]! ^= 1 << (bit & 7)
    assert.throws(() => key.decrypt(changed, place), DamagedCiphertext, `bit ${bit}`)
  }
  const formerVersion = Buffer.from(ciphertext)
  formerVersion[0] = 1
  assert.throws(() => key.decrypt(formerVersion, place), DamagedCiphertext)
  for (let length = 0; length < ciphertext.length; length++)
    assert.throws(() => key.decrypt(ciphertext.subarray(0, length), place), DamagedCiphertext)
  assert.throws(() => key.decrypt(ciphertext, ['messages', 'sealed', 'another']), DamagedCiphertext)
  assert.throws(() => new MessageKey(7, randomBytes(32)).decrypt(ciphertext, place), DamagedCiphertext)
})

test('it is what AES-256-CTR and HMAC-SHA-256 of the library give', () => {
  const plain = 'text of a message'
  for (let n = 0; n < 3; n++) {
    const ciphertext = encrypt(plain)
    const derived = (use: string): Buffer =>
      Buffer.from(hkdfSync('sha256', dataKey, Buffer.alloc(0), use, 32))
    const counter = ciphertext.subarray(3, 19)
    const encrypted = createCipheriv('aes-256-ctr', derived('message encryption'), counter).update(plain)
    assert.deepEqual(ciphertext.subarray(19, -16), encrypted)
    const length = Buffer.alloc(4)
    length.writeUInt32BE(ciphertext.length - 16)
    const tag = createHmac('sha256', derived('message authentication'))
      .update(length)
      .update(ciphertext.subarray(0, -16))
      .update(JSON.stringify(place))
      .digest()
    assert.deepEqual(ciphertext.subarray(-16), tag.subarray(0, 16))
  }
})

test('a ciphertext of version 1 is read', () => {
  assert.equal(key.decrypt(encryptBytes(7, dataKey, 'before', place), place), 'before')
})

test('no counter block is used twice, and two keystreams of one key differ', () => {
  const cipherKey = createSecretKey(randomBytes(32))
  const [one, other] = [new Keystream(cipherKey), new Keystream(cipherKey)]
  const used = new Set<string>()
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 20_000 }), (bytes) => {
      for (const keystream of [one, other]) {
        const { counter, words, at } = keystream.take(bytes)
        const stream = Buffer.from(words.buffer, words.byteOffset + at * wordBytes, bytes)
        const first = BigInt(`0x${counter.toString('hex')}`)
        const blocks = Math.ceil(bytes / 16)
        for (let block = 0; block < blocks; block++) {
          const name = (first + BigInt(block)).toString(16)
          assert.ok(!used.has(name), 'a block is used twice')
          used.add(name)
        }
        const expected = createCipheriv('aes-256-ctr', cipherKey, counter).update(Buffer.alloc(bytes))
        assert.deepEqual(stream, expected)
      }
    }),
  )
})
