import assert from 'node:assert/strict'
import { createPrivateKey, generatePrimeSync } from 'node:crypto'
import { test } from 'node:test'
import { rbmOptions, serviceAccount } from '../../../../test/support/carriers/rbm.ts'
import { HttpClient } from '../http/http-client.ts'
import { logInToGoogle } from './login.ts'
import { parseServiceAccount } from './service-account.ts'

test('a route whose key cannot sign is refused', () => {
  assert.throws(
    () => rbmOptions({ serviceAccount: serviceAccount({ private_key: shortKey() }) }),
    /private_key of serviceAccount must be an RSA key that can sign, of at least 2048 bits/,
  )
})

test('a key that cannot sign counts as a refused account, not as an error', async (t) => {
  const http = new HttpClient({ connections: 1, connectTimeoutMs: 1, timeoutMs: 1, maxAnswerBytes: 1 })
  t.after(() => http.stop())
  const account = { ...parseServiceAccount(serviceAccount()), privateKey: createPrivateKey(shortKey()) }
  assert.deepEqual(await logInToGoogle(http, account), {
    kind: 'no-token',
    code: 'rbm:token-key',
    isLoginRefused: true,
  })
})

/** A key of 384 bits, too short for a signature with SHA-256. */
function shortKey(): string {
  const e = 3n
  const prime = (): bigint => {
    for (;;) {
      const found = generatePrimeSync(192, { bigint: true })
      if (found % e !== 1n) return found
    }
  }
  const [p, q] = [prime(), prime()]
  const inverse = (value: bigint, modulus: bigint): bigint => {
    let [r, next, x, nextX] = [value % modulus, modulus, 1n, 0n]
    while (next !== 0n) [r, next, x, nextX] = [next, r % next, nextX, x - (r / next) * nextX]
    return ((x % modulus) + modulus) % modulus
  }
  const text = (value: bigint): string => {
    const hex = value.toString(16)
    return Buffer.from(hex.padStart(hex.length + (hex.length % 2), '0'), 'hex').toString('base64url')
  }
  const d = inverse(e, (p - 1n) * (q - 1n))
  const parts = { n: p * q, e, d, p, q, dp: d % (p - 1n), dq: d % (q - 1n), qi: inverse(q, p) }
  const texts = Object.fromEntries(Object.entries(parts).map(([name, value]) => [name, text(value)]))
  const key = createPrivateKey({ format: 'jwk', key: { kty: 'RSA', ...texts } })
  return key.export({ type: 'pkcs8', format: 'pem' }).toString()
}
