/** The options of a route refer to secrets of carriers: never to settings of the gateway, nor to what those name. */
import assert from 'node:assert/strict'
import { linkSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, suite, test } from 'node:test'
import { ConfigSchema } from '../platform/config-schema.ts'
import { settingNames } from '../platform/config.ts'
import { namingSettings } from './allowed-references.ts'
import { resolveKnownSecrets, resolveSecrets } from './secrets.ts'

const folder = mkdtempSync(join(tmpdir(), 'postern-references-'))
after(() => rmSync(folder, { recursive: true }))
const file = (name: string): string => {
  writeFileSync(join(folder, name), `content of ${name}\n`)
  return join(folder, name)
}

const masterKey = file('master-key')
const linkedKey = join(folder, 'linked-key')
symlinkSync(masterKey, linkedKey)
const copiedKey = join(folder, 'copied-key')
linkSync(masterKey, copiedKey)
const uploads = join(folder, 'uploads')
mkdirSync(uploads)
const carriers = join(folder, 'carriers')
mkdirSync(carriers)
symlinkSync(masterKey, join(carriers, 'master-key'))
symlinkSync(file('elsewhere'), join(carriers, 'elsewhere'))

const environment = {
  ACME_KEY: 'of the carrier',
  OTHER_KEY: 'of another',
  MASTER: '0'.repeat(64),
  OIDC: 'of the provider',
  AWS_SECRET_ACCESS_KEY: 'of the files',
  PGPASSWORD: 'of the database',
  POSTERN_ROUTE_SECRET_ACME: 'of the carrier, too',
  POSTERN_DATABASE_URL: `postgres://postern:hush@127.0.0.1/postern?sslkey=${file('database-key')}`,
  POSTERN_TOKEN_SECRET: 'x'.repeat(32),
  POSTERN_MASTER_KEY: 'env:MASTER',
  POSTERN_PREVIOUS_MASTER_KEY: `file:${masterKey}`,
  POSTERN_ADMIN_OIDC_CLIENT_SECRET: 'env:OIDC',
  POSTERN_HTTP_KEY_FILE: file('http-key'),
  POSTERN_HTTP_CERT_FILE: file('http-cert'),
  POSTERN_BROKER_KEY_FILE: file('broker-key'),
  POSTERN_REDIS_KEY_FILE: file('redis-key'),
  POSTERN_FILE_FOLDER: uploads,
}
const resolve = (secret: string, more = {}): unknown =>
  resolveSecrets({ secrets: { k: secret } }, { ...environment, ...more })
const refuses = (secret: string, more = {}): void =>
  assert.throws(() => resolve(secret, more), /which the options of a route may not use/, secret)

suite('by default', () => {
  test('secrets of carriers are read from variables and files', () => {
    const allowed = ['env:ACME_KEY', 'env:POSTERN_ROUTE_SECRET_ACME', `file:${file('acme')}`]
    for (const secret of [...allowed, `file:${environment.POSTERN_HTTP_CERT_FILE}`])
      assert.doesNotThrow(() => resolve(secret), secret)
  })

  test('settings of the gateway, and variables that settings name, are not', () => {
    for (const name of ['POSTERN_DATABASE_URL', 'POSTERN_TOKEN_SECRET', 'POSTERN_OF_TOMORROW'])
      refuses(`env:${name}`)
    for (const name of ['MASTER', 'OIDC', 'AWS_SECRET_ACCESS_KEY', 'PGPASSWORD']) refuses(`env:${name}`)
    assert.throws(() => resolve('env:MASTER'), /POSTERN_MASTER_KEY names it/)
  })

  test('files that settings name are not, whatever the way to them', () => {
    for (const name of ['database-key', 'http-key', 'broker-key', 'redis-key', 'master-key'])
      refuses(`file:${join(folder, name)}`)
    for (const path of [linkedKey, copiedKey, `${carriers}/../master-key`]) refuses(`file:${path}`)
    writeFileSync(join(uploads, 'image'), 'of a client')
    refuses(`file:${uploads}/image`)
  })

  test('what shows variables of a process, or a file of settings, is not', () => {
    for (const path of ['/proc/self/environ', '/proc/self/cwd/x', '/dev/stdin', '/sys/kernel/x'])
      refuses(`file:${path}`)
    const there = join(folder, 'there')
    symlinkSync('/proc/self/environ', there)
    refuses(`file:${there}`)
    refuses(`file:${file('postern.env')}`)
    refuses('file:/var/run/secrets/kubernetes.io/serviceaccount/token')
  })

  test('keys of the person who runs a command are not', () => {
    mkdirSync(join(folder, '.ssh'))
    mkdirSync(join(folder, 'config', 'postern'), { recursive: true })
    const personal = { HOME: folder, XDG_CONFIG_HOME: join(folder, 'config') }
    for (const name of ['.ssh/id', '.pgpass', 'config/postern/profiles.json'])
      refuses(`file:${file(name)}`, personal)
  })

  test('a refused reference stays where secrets are read as far as possible', () => {
    assert.deepEqual(resolveKnownSecrets({ a: 'env:POSTERN_DATABASE_URL' }), {
      a: 'env:POSTERN_DATABASE_URL',
    })
  })
})

suite('with lists of what routes may use', () => {
  test('POSTERN_ROUTE_VARIABLES names variables and prefixes', () => {
    const listed = { POSTERN_ROUTE_VARIABLES: 'ACME_*,POSTERN_DATABASE_URL,MASTER' }
    assert.doesNotThrow(() => resolve('env:ACME_KEY', listed))
    assert.throws(() => resolve('env:OTHER_KEY', listed), /POSTERN_ROUTE_VARIABLES does not name it/)
    for (const name of ['POSTERN_DATABASE_URL', 'MASTER']) refuses(`env:${name}`, listed)
    assert.doesNotThrow(() => resolve('env:OTHER_KEY', { POSTERN_ROUTE_VARIABLES: 'ACME_KEY,OTHER_KEY' }))
  })

  test('POSTERN_ROUTE_FILES names folders, and links lead nowhere else', () => {
    const listed = { POSTERN_ROUTE_FILES: carriers }
    writeFileSync(join(carriers, 'acme'), 'of the carrier')
    assert.doesNotThrow(() => resolve(`file:${carriers}/acme`, listed))
    for (const path of ['/etc/hostname', '/etc/none', `${carriers}-2/acme`, `${carriers}/../elsewhere`])
      assert.throws(
        () => resolve(`file:${path}`, listed),
        /is not below a folder of POSTERN_ROUTE_FILES/,
        path,
      )
    for (const name of ['master-key', 'elsewhere']) refuses(`file:${carriers}/${name}`, listed)
    const versions = join(folder, 'mounted')
    mkdirSync(join(versions, '..data-1'), { recursive: true })
    writeFileSync(join(versions, '..data-1', 'acme'), 'as Kubernetes mounts a Secret')
    symlinkSync(join('..data-1', 'acme'), join(versions, 'acme'))
    assert.doesNotThrow(() => resolve(`file:${versions}/acme`, { POSTERN_ROUTE_FILES: versions }))
  })
})

test('every setting that may name a variable or a key file is known', () => {
  const naming = settingNames.filter((name) => {
    const setting: object = ConfigSchema.properties[name]
    const { pattern = '', example = '' } = setting as { pattern?: string; example?: string }
    return /env:|file:/.test(`${pattern} ${example}`) || name.endsWith('KeyFile')
  })
  assert.deepEqual([...namingSettings].sort(), naming.sort())
})
