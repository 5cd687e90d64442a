import assert from 'node:assert/strict'
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs'
import { test } from 'node:test'
import { createAuthority } from '../../../test/support/engines/certificate-authority.ts'
import { toConnectionOptions } from '../broker/broker.ts'
import { loadConfig } from './config.ts'
import { brokerTls, redisTls, verifiedDatabaseUrl } from './tls.ts'

const authority = createAuthority()
const { ca } = authority

test('amqps defaults to port 5671, and nodes with two schemes are refused', () => {
  const hosts = (...urls: string[]): unknown => toConnectionOptions(urls).hosts
  assert.deepEqual(hosts('amqps://a', 'amqps://b:7000'), ['a:5671', 'b:7000'])
  assert.deepEqual(hosts('amqp://a', 'amqp://b:7000'), ['a:5672', 'b:7000'])
  assert.equal(toConnectionOptions(['amqp://a']).tls, undefined)
  for (const urls of [
    ['amqps://a', 'amqp://b'],
    ['amqp://a', 'amqps://b'],
  ])
    assert.throws(() => toConnectionOptions(urls), /POSTERN_BROKER_URLS must use one scheme for all nodes/)
})

test('an authority for a plaintext link, or a file without one, is refused', () => {
  assert.throws(
    () => brokerTls(['amqp://a'], { caFile: ca }),
    /POSTERN_BROKER_CA_FILE is set, but .* in plaintext/,
  )
  assert.throws(
    () => redisTls('redis://a', { caFile: ca }),
    /POSTERN_REDIS_CA_FILE is set, but .* in plaintext/,
  )
  assert.throws(
    () => redisTls('rediss://a', { caFile: '/nowhere' }),
    /names \/nowhere, which cannot be read \(ENOENT\)/,
  )
  assert.throws(
    () => brokerTls(['amqps://a'], { caFile: authority.issue('a').key }),
    /must name a file with one or more PEM certificates/,
  )
  assert.ok(brokerTls(['amqps://a'], { caFile: ca })?.secureContext)
  assert.deepEqual(redisTls('rediss://a'), {})
})

test('every sslmode with TLS verifies in full', () => {
  const mode = (query: string): string | null =>
    new URL(verifiedDatabaseUrl(`postgres://u:p%40@h/db?${query}`)).searchParams.get('sslmode')
  for (const sslmode of ['prefer', 'require', 'verify-ca', 'verify-full'])
    assert.equal(mode(`sslmode=${sslmode}`), 'verify-full')
  assert.equal(mode(`sslrootcert=${ca}`), 'verify-full')
  for (const sslmode of ['disable', 'no-verify']) assert.equal(mode(`sslmode=${sslmode}`), sslmode)
  assert.equal(verifiedDatabaseUrl('postgres://u:p@/db?host=h'), 'postgres://u:p@/db?host=h')
  assert.throws(
    () => verifiedDatabaseUrl('postgres://u:p@/db?host=h&sslrootcert=/ca.pem'),
    /POSTERN_DATABASE_URL names TLS files but is not a valid URL/,
  )
  assert.equal(verifiedDatabaseUrl('postgres://u:p%40@h/db'), 'postgres://u:p%40@h/db')
  const environment = {
    POSTERN_DATABASE_URL: 'postgres://h/db?sslmode=require&sslrootcert=/nowhere',
    POSTERN_BROKER_URLS: 'amqps://a',
    POSTERN_TOKEN_SECRET: 'x'.repeat(32),
  }
  assert.throws(() => loadConfig(environment), /sslrootcert of POSTERN_DATABASE_URL names \/nowhere/)
})

test('a client certificate requires its own key and TLS', () => {
  const [client, other] = [authority.issue('client'), authority.issue('other')]
  const files = { certFile: client.cert, keyFile: client.key }
  assert.ok(brokerTls(['amqps://a'], files)?.secureContext)
  assert.ok(redisTls('rediss://a', files)?.secureContext)
  assert.throws(
    () => brokerTls(['amqps://a'], { certFile: client.cert }),
    /POSTERN_BROKER_CERT_FILE and POSTERN_BROKER_KEY_FILE must be set together/,
  )
  assert.throws(
    () => redisTls('rediss://a', { certFile: client.cert, keyFile: other.key }),
    /POSTERN_REDIS_KEY_FILE must name the PEM private key of the certificate in POSTERN_REDIS_CERT_FILE/,
  )
  assert.throws(() => redisTls('redis://a', files), /POSTERN_REDIS_CERT_FILE is set, but .* in plaintext/)

  const url = (query: string): string => verifiedDatabaseUrl(`postgres://h/db?${query}`)
  const pair = `sslcert=${client.cert}&sslkey=${client.key}`
  assert.match(url(`sslmode=require&${pair}`), /sslmode=verify-full/)
  assert.throws(() => url(`sslmode=require&sslcert=${client.cert}`), /must be set together/)
  assert.throws(
    () => url(`sslmode=require&sslcert=${client.cert}&sslkey=${other.key}`),
    /sslkey of POSTERN_DATABASE_URL must name/,
  )
  // The driver uses TLS if a certificate is set.
  for (const query of [pair, `ssl=true&${pair}`]) assert.match(url(query), /sslmode=verify-full/)
  assert.throws(() => url(`sslmode=disable&${pair}`), /would leave the link in plaintext/)
})

test('a truncated authority file is refused', () => {
  const partial = `${ca}.partial`
  const text = readFileSync(ca, 'utf8')
  writeFileSync(partial, text + text.slice(0, 300))
  assert.throws(
    () => brokerTls(['amqps://a'], { caFile: partial }),
    /partial has a damaged or incomplete one/,
  )
})

test('files are read again for every connection, and kept while new ones are unusable', () => {
  const [client, other] = [authority.issue('client'), authority.issue('other')]
  const files = { certFile: `${client.cert}.used`, keyFile: `${client.key}.used` }
  const use = (cert: string, key: string): void => {
    copyFileSync(cert, files.certFile)
    copyFileSync(key, files.keyFile)
  }
  use(client.cert, client.key)
  const faults: string[] = []
  const tls = brokerTls(['amqps://a'], files, ({ message }) => faults.push(message))!
  const first = { ...tls }.secureContext
  use(other.cert, other.key)
  const second = { ...tls }.secureContext
  assert.notEqual(second, first)
  use(client.cert, other.key)
  for (let connection = 0; connection < 3; connection += 1) assert.equal({ ...tls }.secureContext, second)
  assert.equal(faults.length, 1, 'once for all connections')
  assert.match(faults[0]!, /POSTERN_BROKER_KEY_FILE must name the PEM private key/)
})
