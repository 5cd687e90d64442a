import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findPassword, generatePassword, hashPassword } from './password.ts'

const verifyPassword = async (password: string, hash: string): Promise<boolean> =>
  (await findPassword(password, [hash])) === 0

test('only the right password matches its hash', async () => {
  const password = generatePassword()
  const hash = await hashPassword(password)
  assert.equal(await verifyPassword(password, hash), true)
  assert.equal(await verifyPassword(`${password} `, hash), false)
  assert.equal(await verifyPassword(password.toLowerCase(), hash), false)
  assert.equal(await verifyPassword('', hash), false)
})

test('a password can use any script', async () => {
  assert.equal(await verifyPassword('비밀번호 🔑', await hashPassword('비밀번호 🔑')), true)
})

test('a hash is argon2id in PHC form, with a new salt and without the password', async () => {
  const [left, right] = await Promise.all([hashPassword('the same'), hashPassword('the same')])
  assert.match(left, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/)
  assert.notEqual(left, right)
  assert.ok(!left.includes('the same'))
})

test('two passwords that are valid together share one salt', async () => {
  const old = await hashPassword('old')
  const hashes = [await hashPassword('new', old), old]
  assert.deepEqual(
    hashes.map((hash) => hash.split('$')[4]),
    [old.split('$')[4], old.split('$')[4]],
  )
  assert.equal(await findPassword('new', hashes), 0)
  assert.equal(await findPassword('old', hashes), 1)
  assert.equal(await findPassword('other', hashes), -1)
})

test('verifies hashes with other parameters', async () => {
  // A PHC string contains its parameters, so the cost can be raised without new passwords.
  const cheap = '$argon2id$v=19$m=64,t=1,p=1$c29tZXNhbHRzb21lc2FsdA$'
  const { argon2Sync } = await import('node:crypto')
  const tag = argon2Sync('argon2id', {
    message: 'old',
    nonce: Buffer.from('c29tZXNhbHRzb21lc2FsdA', 'base64'),
    memory: 64,
    passes: 1,
    parallelism: 1,
    tagLength: 32,
  })
  assert.equal(await verifyPassword('old', cheap + tag.toString('base64').replaceAll('=', '')), true)
})

test('refuses to compare with an invalid hash', async () => {
  await assert.rejects(verifyPassword('secret', 'secret'), /not argon2id/)
})

test('generated passwords are long and unique', () => {
  const passwords = new Set(Array.from({ length: 1_000 }, generatePassword))
  assert.equal(passwords.size, 1_000)
  for (const password of passwords) assert.match(password, /^[0-9A-Z]{24}$/)
})
