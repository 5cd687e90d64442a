import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, suite, test } from 'node:test'
import { Type } from 'typebox'
import { describeOptions } from '../describe.ts'
import { type ConnectorKind, defineConnector } from './kind.ts'
import { secret, text } from './options.ts'
import { connectorKinds, findLogin, readOptions, getSubmissionUnit } from '../registry.ts'
import {
  hasFileSecrets,
  maskPreview,
  maskValues,
  requireReferencePlaces,
  resolveKnownSecrets,
  resolveSecrets,
} from './secrets.ts'

const directory = mkdtempSync(join(tmpdir(), 'postern-secrets-'))
after(() => rmSync(directory, { recursive: true }))
const carriers = join(directory, 'carriers')
mkdirSync(carriers)
const path = join(carriers, 'password')
writeFileSync(path, 'from a file\n')
writeFileSync(join(directory, 'elsewhere'), 'another secret')

process.env['POSTERN_ROUTE_SECRET_CARRIER_PASSWORD'] = 'tiger{Secret}'
const reference = 'env:POSTERN_ROUTE_SECRET_CARRIER_PASSWORD'

suite('references', () => {
  test('references are resolved at any depth, and other texts are unchanged', () => {
    const environment = { POSTERN_ROUTE_FILES: carriers, POSTERN_ROUTE_SECRET_CARRIER_PASSWORD: 'hush' }
    const options = {
      user: 'POSTERN_ROUTE_SECRET_CARRIER_PASSWORD',
      lower: 'env:lower',
      relative: 'file:password',
      password: reference,
      port: 2775,
      tls: { key: `file:${path}`, ca: null },
      keys: [{ secret: reference }, `file:${path}`],
    }
    assert.deepEqual(resolveSecrets(options, environment), {
      ...options,
      password: 'hush',
      tls: { key: 'from a file', ca: null },
      keys: [{ secret: 'hush' }, 'from a file'],
    })
  })

  test('an error names a missing variable or file and what to do', () => {
    const files = { POSTERN_ROUTE_FILES: carriers }
    assert.throws(
      () => resolveSecrets({ a: { b: 'env:POSTERN_ROUTE_SECRET_X' } }, {}),
      /SECRET_X is not set.*env:POSTERN_ROUTE_SECRET_X/,
    )
    assert.throws(
      () => resolveSecrets({ a: `file:${carriers}/none` }, files),
      /cannot read .*\/none \(ENOENT\)/,
    )
    writeFileSync(join(carriers, 'long'), 's'.repeat(70_000))
    assert.throws(
      () => resolveSecrets({ a: `file:${carriers}/long` }, files),
      /cannot read .*\/long \(it has more than 65536/,
    )
  })

  test('resolveKnownSecrets leaves a reference that cannot be resolved unchanged', () => {
    assert.deepEqual(
      resolveKnownSecrets({ a: 'env:NOT_SET_ANYWHERE', b: 'env:POSTERN_TOKEN_SECRET', c: reference }),
      { a: 'env:NOT_SET_ANYWHERE', b: 'env:POSTERN_TOKEN_SECRET', c: 'tiger{Secret}' },
    )
  })

  test('only secrets from files can change while the process runs', () => {
    assert.equal(hasFileSecrets({ a: 'env:A', b: ['x'] }), false)
    assert.equal(hasFileSecrets({ a: { b: [{ c: 'file:/run/secrets/c' }] } }), true)
  })
})

suite('allowed references', () => {
  const environment = {
    ACME_KEY: 'a key',
    POSTERN_ROUTE_SECRET_ACME: 'a key',
    POSTERN_TOKEN_SECRET: 'x'.repeat(32),
  }
  const resolve = (secret: string, more = {}): unknown =>
    resolveSecrets({ secrets: { k: secret } }, { ...environment, ...more })
  const refuses = (secret: string, more = {}): void =>
    assert.throws(() => resolve(secret, more), /route options must not reference/, secret)

  test('by default, routes read only POSTERN_ROUTE_SECRET_ variables and files below /etc/postern/routes', () => {
    assert.doesNotThrow(() => resolve('env:POSTERN_ROUTE_SECRET_ACME'))
    for (const name of ['ACME_KEY', 'POSTERN_TOKEN_SECRET', 'PGPASSWORD']) refuses(`env:${name}`)
    const files = [
      '/proc/self/environ',
      '/etc/hostname',
      '/etc/postern/postern.env',
      `${directory}/elsewhere`,
    ]
    for (const file of [...files, '/etc/postern/routes/../postern.env']) refuses(`file:${file}`)
    assert.throws(() => resolve('file:/etc/postern/routes/none'), /cannot read \/etc\/postern\/routes\/none/)
  })

  test('POSTERN_ROUTE_VARIABLES lists names and prefixes', () => {
    for (const listed of ['ACME_*', 'OTHER,ACME_KEY'])
      assert.doesNotThrow(() => resolve('env:ACME_KEY', { POSTERN_ROUTE_VARIABLES: listed }))
    refuses('env:POSTERN_ROUTE_SECRET_ACME', { POSTERN_ROUTE_VARIABLES: 'ACME_*' })
  })

  test('POSTERN_ROUTE_FILES lists directories, which links must not leave', () => {
    const listed = { POSTERN_ROUTE_FILES: carriers }
    // Kubernetes mounts a Secret as links within its directory.
    mkdirSync(join(carriers, '..data-1'))
    writeFileSync(join(carriers, '..data-1', 'acme'), 'a key')
    symlinkSync(join('..data-1', 'acme'), join(carriers, 'acme'))
    assert.doesNotThrow(() => resolve(`file:${carriers}/acme`, listed))
    symlinkSync(join(directory, 'elsewhere'), join(carriers, 'elsewhere'))
    const outside = [`${carriers}/elsewhere`, `${carriers}/../elsewhere`, `${carriers}-2/acme`, '/etc/none']
    for (const file of outside) refuses(`file:${file}`, listed)
  })
})

suite('reference places', () => {
  test('every secret and certificate of every kind can be a reference', () => {
    for (const { name, options } of Object.values(connectorKinds))
      for (const row of describeOptions(options))
        if (row.secret || /(?:^|\.)tls\.(?:ca|cert|key)$/.test(row.name))
          assert.ok(row.reference, `${name} ${row.name}`)
  })

  test('a login name can be a reference, other settings of a link cannot', () => {
    const options = { host: 'smsc.example', systemId: 'me', password: reference }
    assert.equal(readOptions('smpp', { ...options, systemId: reference })['systemId'], 'tiger{Secret}')
    for (const [place, given] of Object.entries({
      serviceType: { serviceType: reference },
      'parameters.0.value': { parameters: [{ tag: 5121, type: 'text', value: reference }] },
      port: { port: reference },
    }))
      assert.throws(
        () => readOptions('smpp', { ...options, ...given }),
        (error: Error) =>
          error.message.startsWith(`smpp options: ${place} must not be a reference`) &&
          !error.message.includes('tiger'),
      )
  })

  test('lookups on a stored route return defaults if a reference is misplaced', () => {
    const options = { host: 'smsc.example', systemId: 'me', longMessages: reference }
    assert.equal(getSubmissionUnit('smpp', options), 'parts')
    assert.equal(findLogin('smpp', options), null)
  })

  test('an unknown option is left to the schema check, and deep nesting is refused', () => {
    const kind = defineConnector({
      ...connectorKinds['sandbox']!,
      options: Type.Object({ name: text('A name.', 10) }),
    })
    assert.doesNotThrow(() => requireReferencePlaces(kind, { nme: reference }))
    assert.throws(() => requireReferencePlaces(kind, { name: reference }), /name must not be a reference/)
    let deep: unknown = reference
    for (let level = 0; level < 100_000; level++) deep = [deep]
    assert.throws(() => readOptions('smpp', { systemId: deep }), /levels of nesting/)
  })
})

suite('masks', () => {
  test('a preview masks a secret in every encoding, but no short value', () => {
    const value = 'p"w&d-1'
    const masked = maskPreview(
      {
        method: 'POST',
        url: `https://a.example/?key=${encodeURIComponent(value)}&region=eu`,
        headers: { authorization: `Bearer ${value}` },
        body: JSON.stringify({ secret: value, text: 'eu' }),
      },
      [value, 'eu'],
    )
    assert.deepEqual(masked, {
      method: 'POST',
      url: 'https://a.example/?key=***&region=eu',
      headers: { authorization: 'Bearer ***' },
      body: '{"secret":"***","text":"eu"}',
    })
  })

  test('a secret is masked whole if another secret is a part of it', () => {
    assert.equal(maskValues('key token-1', ['token', 'token-1']), 'key ***')
  })

  test('an error masks the value of a reference, and has no cause that quotes it', (t) => {
    const kinds = connectorKinds as Record<string, ConnectorKind>
    t.after(() => delete kinds['quoting'])
    kinds['quoting'] = defineConnector({
      ...connectorKinds['sandbox']!,
      name: 'quoting',
      options: Type.Object({ key: secret('A key.') }),
      check({ key }) {
        throw new Error(`quoting options: ${key} is wrong`)
      },
    })
    const message = 'quoting options: *** is wrong'
    assert.throws(
      () => readOptions('quoting', { key: reference }),
      (error: Error) => error.message === message && error.cause === undefined,
    )
  })
})
