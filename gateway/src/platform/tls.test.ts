/** Which TLS settings a link gets, and which combinations stop the start. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createAuthority } from '../../test/support/certificate-authority.ts'
import { optionsOf } from './broker/broker.ts'
import { loadConfig } from './config.ts'
import { brokerTls, redisTls, verifiedDatabaseUrl } from './tls.ts'

const authority = createAuthority()
const { ca } = authority

test('amqps without a port connects to 5671, and nodes of two schemes are refused', () => {
  const hosts = (...urls: string[]): unknown => optionsOf(urls).hosts
  assert.deepEqual(hosts('amqps://a', 'amqps://b:7000'), ['a:5671', 'b:7000'])
  assert.deepEqual(hosts('amqp://a', 'amqp://b:7000'), ['a:5672', 'b:7000'])
  assert.equal(optionsOf(['amqp://a']).tls, undefined)
  for (const urls of [
    ['amqps://a', 'amqp://b'],
    ['amqp://a', 'amqps://b'],
  ])
    assert.throws(() => optionsOf(urls), /POSTERN_BROKER_URLS must be all amqp:\/\/ or all amqps:\/\//)
})

test('an authority for a link in clear, or a file without one, is refused', () => {
  assert.throws(() => brokerTls(['amqp://a'], ca), /POSTERN_BROKER_CA_FILE is set, but .* in clear/)
  assert.throws(() => redisTls('redis://a', ca), /POSTERN_REDIS_CA_FILE is set, but .* in clear/)
  assert.throws(() => redisTls('rediss://a', '/nowhere'), /names \/nowhere, which cannot be read \(ENOENT\)/)
  assert.throws(
    () => brokerTls(['amqps://a'], authority.issue('a').key),
    /must name a file with one or more certificates/,
  )
  assert.match(brokerTls(['amqps://a'], ca)?.ca ?? '', /BEGIN CERTIFICATE/)
  assert.deepEqual(redisTls('rediss://a', undefined), {})
})

test('every sslmode with TLS verifies in full', () => {
  const mode = (query: string): string | null =>
    new URL(verifiedDatabaseUrl(`postgres://u:p%40@h/db?${query}`)).searchParams.get('sslmode')
  for (const given of ['prefer', 'require', 'verify-ca', 'verify-full'])
    assert.equal(mode(`sslmode=${given}`), 'verify-full')
  assert.equal(mode(`sslrootcert=${ca}`), 'verify-full')
  for (const given of ['disable', 'no-verify']) assert.equal(mode(`sslmode=${given}`), given)
  assert.equal(verifiedDatabaseUrl('postgres://u:p%40@h/db'), 'postgres://u:p%40@h/db')
  const environment = {
    POSTERN_DATABASE_URL: 'postgres://h/db?sslmode=require&sslrootcert=/nowhere',
    POSTERN_BROKER_URLS: 'amqps://a',
    POSTERN_TOKEN_SECRET: 'x'.repeat(32),
  }
  assert.throws(() => loadConfig(environment), /sslrootcert of POSTERN_DATABASE_URL names \/nowhere/)
})
