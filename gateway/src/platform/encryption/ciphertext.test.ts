/** The format of encrypted values: what it consists of, and that no change to it or to its place goes unnoticed. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { DamagedCiphertext, decryptBytes, encryptBytes, keyIdOf, overheadBytes } from './ciphertext.ts'

const key = randomBytes(32)
const place = ['webhooks', 'secret', 'W1', 7] as const

test('version, key id, nonce, text and tag; two encryptions of one text differ', () => {
  const plain = Buffer.from('whsec_canary')
  const [first, second] = [encryptBytes(0x1234, key, plain, place), encryptBytes(0x1234, key, plain, place)]
  assert.equal(first.length, plain.length + overheadBytes)
  assert.deepEqual([overheadBytes, ...first.subarray(0, 3)], [31, 1, 0x12, 0x34])
  assert.equal(keyIdOf(first), 0x1234)
  assert.notDeepEqual(first, second)
  assert.deepEqual(decryptBytes(key, first, place), plain)
})

test('a value decrypts in its place and unchanged, and nowhere else', () => {
  fc.assert(
    fc.property(
      fc.uint8Array({ maxLength: 200 }),
      fc.nat(),
      fc.integer({ min: 1, max: 255 }),
      (bytes, at, xor) => {
        const ciphertext = encryptBytes(9, key, Buffer.from(bytes), place)
        assert.deepEqual(decryptBytes(key, ciphertext, place), Buffer.from(bytes))
        const changed = Buffer.from(ciphertext)
        changed[at % changed.length]! ^= xor
        for (const [text, where] of [
          [changed, place],
          [ciphertext, ['webhooks', 'secret', 'W2', 7]],
          [ciphertext, ['webhooks', 'secret', 'W1', 8]],
          [ciphertext, ['webhooks', 'secretW1', '', 7]],
          [ciphertext.subarray(0, -1), place],
        ] as const)
          assert.throws(() => decryptBytes(key, text, where), DamagedCiphertext)
      },
    ),
  )
})

test('what is too short or of another version is refused with the reason', () => {
  assert.throws(() => keyIdOf(Buffer.alloc(30, 1)), /has 30 bytes and version 1/)
  assert.throws(() => keyIdOf(Buffer.alloc(40, 2)), /version 2, but this release reads version 1/)
})
