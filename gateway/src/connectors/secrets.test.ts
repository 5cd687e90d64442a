/** References to secrets are resolved at any depth, from the environment and from files, and no error holds a secret. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { hasFileSecrets, resolveKnownSecrets, resolveSecrets } from './secrets.ts'

const folder = mkdtempSync(join(tmpdir(), 'postern-secrets-'))
after(() => rmSync(folder, { recursive: true }))
const path = join(folder, 'password')
writeFileSync(path, 'from a file\n')

test('a reference is resolved in objects and lists at any depth; other texts stay', () => {
  const environment = { POSTERN_ROUTE_FILES: folder, POSTERN_ROUTE_SECRET_CARRIER_PASSWORD: 'hush' }
  const options = {
    user: 'POSTERN_ROUTE_SECRET_CARRIER_PASSWORD',
    lower: 'env:lower',
    relative: 'file:password',
    password: 'env:POSTERN_ROUTE_SECRET_CARRIER_PASSWORD',
    port: 2775,
    tls: { key: `file:${path}`, ca: null },
    keys: [{ secret: 'env:POSTERN_ROUTE_SECRET_CARRIER_PASSWORD' }, `file:${path}`],
  }
  assert.deepEqual(resolveSecrets(options, environment), {
    ...options,
    password: 'hush',
    tls: { key: 'from a file', ca: null },
    keys: [{ secret: 'hush' }, 'from a file'],
  })
})

test('a missing variable or file is named with what to do', () => {
  assert.throws(
    () => resolveSecrets({ a: { b: 'env:POSTERN_ROUTE_SECRET_X' } }, {}),
    /SECRET_X is missing.*env:POSTERN_ROUTE_SECRET_X/,
  )
  assert.throws(() => resolveSecrets({ a: `file:${folder}/none` }), /cannot read .*\/none \(ENOENT\)/)
  writeFileSync(join(folder, 'long'), 's'.repeat(70_000))
  assert.throws(
    () => resolveSecrets({ a: `file:${folder}/long` }),
    /cannot read .*\/long \(it has more than 65536/,
  )
  assert.deepEqual(resolveKnownSecrets({ a: 'env:NOT_SET_ANYWHERE', b: `file:${path}` }), {
    a: 'env:NOT_SET_ANYWHERE',
    b: 'from a file',
  })
})

test('only options with a file can change while the process runs', () => {
  assert.equal(hasFileSecrets({ a: 'env:A', b: ['x'] }), false)
  assert.equal(hasFileSecrets({ a: { b: [{ c: 'file:/run/secrets/c' }] } }), true)
})
