import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { resolveKnownSecrets, resolveSecrets } from './secrets.ts'

const directory = mkdtempSync(join(tmpdir(), 'postern-references-'))
after(() => rmSync(directory, { recursive: true }))
const carriers = join(directory, 'carriers')
mkdirSync(carriers)
writeFileSync(join(directory, 'elsewhere'), 'another secret')

const environment = {
  ACME_KEY: 'a key',
  POSTERN_ROUTE_SECRET_ACME: 'a key',
  POSTERN_TOKEN_SECRET: 'x'.repeat(32),
}
const resolve = (secret: string, more = {}): unknown =>
  resolveSecrets({ secrets: { k: secret } }, { ...environment, ...more })
const refuses = (secret: string, more = {}): void =>
  assert.throws(() => resolve(secret, more), /route options must not reference/, secret)

test('without settings, routes read POSTERN_ROUTE_SECRET_ variables and no other file or variable', () => {
  assert.doesNotThrow(() => resolve('env:POSTERN_ROUTE_SECRET_ACME'))
  for (const name of ['ACME_KEY', 'POSTERN_TOKEN_SECRET', 'PGPASSWORD']) refuses(`env:${name}`)
  const files = ['/proc/self/environ', '/etc/hostname', '/etc/postern/postern.env', `${directory}/elsewhere`]
  for (const path of [...files, '/etc/postern/routes/../postern.env']) refuses(`file:${path}`)
  assert.throws(() => resolve('file:/etc/postern/routes/none'), /cannot read \/etc\/postern\/routes\/none/)
})

test('POSTERN_ROUTE_VARIABLES lists names and prefixes', () => {
  for (const listed of ['ACME_*', 'OTHER,ACME_KEY'])
    assert.doesNotThrow(() => resolve('env:ACME_KEY', { POSTERN_ROUTE_VARIABLES: listed }))
  refuses('env:POSTERN_ROUTE_SECRET_ACME', { POSTERN_ROUTE_VARIABLES: 'ACME_*' })
})

test('POSTERN_ROUTE_FILES lists directories; links must not leave them', () => {
  const listed = { POSTERN_ROUTE_FILES: carriers }
  // Kubernetes mounts a Secret as links within its directory.
  mkdirSync(join(carriers, '..data-1'))
  writeFileSync(join(carriers, '..data-1', 'acme'), 'a key')
  symlinkSync(join('..data-1', 'acme'), join(carriers, 'acme'))
  assert.doesNotThrow(() => resolve(`file:${carriers}/acme`, listed))
  symlinkSync(join(directory, 'elsewhere'), join(carriers, 'elsewhere'))
  const outside = [`${carriers}/elsewhere`, `${carriers}/../elsewhere`, `${carriers}-2/acme`, '/etc/none']
  for (const path of outside) refuses(`file:${path}`, listed)
})

test('a refused reference stays unresolved where secrets are optional', () => {
  const options = { a: 'env:POSTERN_TOKEN_SECRET' }
  assert.deepEqual(resolveKnownSecrets(options), options)
})
