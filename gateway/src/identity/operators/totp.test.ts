/** Codes of authenticator apps: those of RFC 6238, around the current step, each once. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  computeTotp,
  createTotpSecret,
  findTotpStep,
  fromBase32,
  otpauthUri,
  toTotpStep,
  toBase32,
  type TotpAlgorithm,
} from './totp.ts'

/** Appendix B of RFC 6238, with the secrets of its errata: time in seconds, and the code of each algorithm. */
const vectors: readonly (readonly [number, Readonly<Record<TotpAlgorithm, string>>])[] = [
  [59, { sha1: '94287082', sha256: '46119246', sha512: '90693936' }],
  [1_111_111_109, { sha1: '07081804', sha256: '68084774', sha512: '25091201' }],
  [1_111_111_111, { sha1: '14050471', sha256: '67062674', sha512: '99943326' }],
  [1_234_567_890, { sha1: '89005924', sha256: '91819424', sha512: '93441116' }],
  [2_000_000_000, { sha1: '69279037', sha256: '90698825', sha512: '38618901' }],
  [20_000_000_000, { sha1: '65353130', sha256: '77737706', sha512: '47863826' }],
]
const secretBytes: Readonly<Record<TotpAlgorithm, number>> = { sha1: 20, sha256: 32, sha512: 64 }
const secretOf = (algorithm: TotpAlgorithm): Buffer =>
  Buffer.from('1234567890'.repeat(7).slice(0, secretBytes[algorithm]))

test('the codes match RFC 6238', () => {
  for (const [seconds, codes] of vectors)
    for (const algorithm of ['sha1', 'sha256', 'sha512'] as const)
      assert.equal(
        computeTotp(secretOf(algorithm), toTotpStep(seconds * 1000), { digits: 8, algorithm }),
        codes[algorithm],
      )
})

const times = fc.integer({ min: 0, max: 4_000_000_000_000 })
const secrets = fc.uint8Array({ minLength: 20, maxLength: 20 }).map((bytes) => toBase32(Buffer.from(bytes)))

test('a code is valid only within one step around its time', () => {
  fc.assert(
    fc.property(secrets, times, fc.integer({ min: -5, max: 5 }), (secret, ms, steps) => {
      const step = toTotpStep(ms) + steps
      fc.pre(step >= 0)
      const code = computeTotp(fromBase32(secret), step)
      const found = findTotpStep(secret, code, ms, -1)
      // Two of the eleven codes may be equal, once in some ten thousand runs.
      if (Math.abs(steps) <= 1)
        assert.ok(
          found !== null && computeTotp(fromBase32(secret), found) === code && found >= toTotpStep(ms) - 1,
        )
      else
        assert.ok(
          found === null ||
            (computeTotp(fromBase32(secret), found) === code && Math.abs(found - toTotpStep(ms)) <= 1),
        )
    }),
  )
})

test('a code is valid once, and earlier codes are invalid afterwards', () => {
  fc.assert(
    fc.property(secrets, times, (secret, ms) => {
      const code = computeTotp(fromBase32(secret), toTotpStep(ms))
      const step = findTotpStep(secret, code, ms, -1)!
      assert.equal(findTotpStep(secret, code, ms, step), null)
      assert.equal(findTotpStep(secret, code, ms, step + 1), null)
    }),
  )
})

test('a text other than six digits is wrong', () => {
  const secret = createTotpSecret()
  for (const code of ['', '12345', '1234567', '١٢٣', 'abcdef'])
    assert.equal(findTotpStep(secret, code, 0, -1), null)
})

test('base32 matches RFC 4648', () => {
  for (const [plain, encoded] of [
    ['', ''],
    ['f', 'MY'],
    ['fo', 'MZXQ'],
    ['foo', 'MZXW6'],
    ['foob', 'MZXW6YQ'],
    ['fooba', 'MZXW6YTB'],
    ['foobar', 'MZXW6YTBOI'],
  ] as const) {
    assert.equal(toBase32(Buffer.from(plain)), encoded)
    assert.equal(fromBase32(encoded).toString(), plain)
  }
  fc.assert(
    fc.property(fc.uint8Array(), (bytes) => {
      assert.deepEqual(fromBase32(toBase32(Buffer.from(bytes))), Buffer.from(bytes))
    }),
  )
})

test('a secret has 160 bits, and apps can read its URI', () => {
  const secret = createTotpSecret()
  assert.match(secret, /^[A-Z2-7]{32}$/)
  assert.equal(
    otpauthUri('kim@example.com', 'MZXW6'),
    'otpauth://totp/Postern:kim%40example.com?secret=MZXW6&issuer=Postern&algorithm=SHA1&digits=6&period=30',
  )
})
