import assert from 'node:assert/strict'
import { createDecipheriv, createSecretKey, randomBytes } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { DamagedCiphertext, decrypt, encrypt, findKeyId, overheadBytes } from './ciphertext.ts'

const key = createSecretKey(randomBytes(32))
const associatedData = ['webhooks', 'secret', 'W1', 7] as const

test('a ciphertext contains version, key ID, nonce, AES-256-GCM output and tag', () => {
  const ciphertext = encrypt(key, 0x1234, 'whsec_canary', associatedData)
  assert.deepEqual([...ciphertext.subarray(0, 3)], [1, 0x12, 0x34])
  assert.equal(ciphertext.length, 'whsec_canary'.length + overheadBytes)
  const decipher = createDecipheriv('aes-256-gcm', key, ciphertext.subarray(3, 15))
    .setAAD(Buffer.from('\u0001\u0012\u0034["webhooks","secret","W1",7]'))
    .setAuthTag(ciphertext.subarray(-16))
  assert.equal(decipher.update(ciphertext.subarray(15, -16), undefined, 'utf8'), 'whsec_canary')
  decipher.final()
})

test('no nonce is used twice', () => {
  const nonces = Array.from({ length: 10_000 }, () =>
    encrypt(key, 1, 'x', associatedData).subarray(3, 15).toString('hex'),
  )
  assert.equal(new Set(nonces).size, nonces.length)
})

test('a value decrypts only if unchanged, in its row and under its key', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme', maxLength: 200 }),
      fc.nat(),
      fc.integer({ min: 1, max: 255 }),
      (text, at, xor) => {
        const ciphertext = encrypt(key, 9, text, associatedData)
        assert.equal(decrypt(key, ciphertext, associatedData).toString(), text)
        const changed = Buffer.from(ciphertext)
        changed[at % changed.length]! ^= xor
        for (const [bytes, where] of [
          [changed, associatedData],
          [ciphertext, ['webhooks', 'secret', 'W2', 7]],
          [ciphertext, ['webhooks', 'secret', 'W1', 8]],
          [ciphertext, ['webhooks', 'secretW1', '', 7]],
          [ciphertext.subarray(0, at % ciphertext.length), associatedData],
        ] as const)
          assert.throws(() => decrypt(key, bytes, where), DamagedCiphertext)
        const otherKey = createSecretKey(randomBytes(32))
        assert.throws(() => decrypt(otherKey, ciphertext, associatedData), DamagedCiphertext)
      },
    ),
  )
})

test('only a ciphertext of this format has a key ID', () => {
  assert.equal(findKeyId(encrypt(key, 0x1234, '', associatedData)), 0x1234)
  assert.equal(findKeyId(Buffer.alloc(overheadBytes - 1, 1)), 0)
  assert.equal(findKeyId(Buffer.alloc(40, 2)), 0)
})
