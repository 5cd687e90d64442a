import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ConfigSchema } from './config-schema.ts'
import { ConfigError, environmentName, loadConfig } from './config.ts'

const required = {
  POSTERN_DATABASE_URL: 'postgres://postern@127.0.0.1/postern',
  POSTERN_BROKER_URLS: 'amqp://127.0.0.1',
  POSTERN_TOKEN_SECRET: '0123456789abcdef0123456789abcdef',
}

const errorOf = (changes: Record<string, string | undefined>): string => {
  let message = ''
  assert.throws(
    () => loadConfig({ ...required, ...changes }),
    (error: Error) => {
      message = error.message
      return error instanceof ConfigError
    },
  )
  return message
}

test('requires three settings; the others have a default or may be unset', () => {
  const config = loadConfig(required)
  assert.equal(config.httpPort, 8080)
  assert.equal(config.timeZone, 'Asia/Seoul')
  assert.equal(config.stepTtlSeconds, 86_400)
  assert.equal(config.retentionDays, 30)
  assert.deepEqual(config.credentialPrefixes, ['SVC', 'IB'])
  assert.equal(config.redisUrl, undefined)
})

for (const name of Object.keys(required)) {
  test(`refuses to start without ${name} and names it`, () => {
    assert.match(errorOf({ [name]: undefined }), new RegExp(`^${name} is required`))
    assert.match(errorOf({ [name]: '' }), new RegExp(`^${name} is required`))
  })
}

const wrong: [name: string, value: string][] = [
  ['POSTERN_TOKEN_SECRET', 'too short'],
  ['POSTERN_HTTP_PORT', 'eighty'],
  ['POSTERN_HTTP_PORT', '65536'],
  ['POSTERN_HTTP_PORT', '-1'],
  ['POSTERN_HTTP_PORT', '80.5'],
  ['POSTERN_HTTP_PORT', 'true'],
  ['POSTERN_STEP_TTL_SECONDS', '0'],
  ['POSTERN_RETENTION_DAYS', '12 days'],
  ['POSTERN_CELL', 'abc'],
  ['POSTERN_CELL', 'ab'],
  ['POSTERN_LOG_LEVEL', 'loud'],
  ['POSTERN_BROKER_URLS', 'amqp://a,,amqp://b'],
  ['POSTERN_BROKER_URLS', 'rabbit-one'],
  ['POSTERN_DATABASE_URL', 'postgres-one'],
  ['POSTERN_TIME_ZONE', 'Asia/Seul'],
]
for (const [name, value] of wrong) {
  test(`refuses ${name}=${value} and names the variable`, () => {
    assert.match(errorOf({ [name]: value }), new RegExp(`^${name} `))
  })
}

test('an error names the expectation, an example and the meaning, but not the value', () => {
  assert.match(
    errorOf({ POSTERN_HTTP_PORT: 'eighty' }),
    /^POSTERN_HTTP_PORT must be an integer from 0 to 65535, for example POSTERN_HTTP_PORT=8080\. Meaning: Port /,
  )
  assert.match(
    errorOf({ POSTERN_DATABASE_URL: undefined }),
    /^POSTERN_DATABASE_URL is required\. It must be a URL that starts with postgres:\/\/, for example POSTERN_DATABASE_URL=/,
  )
  assert.doesNotMatch(errorOf({ POSTERN_TOKEN_SECRET: 'my short secret' }), /my short secret/)
  assert.match(errorOf({ POSTERN_TOKEN_SECRET: undefined }), /signs access tokens/)
})

test('reads integers', () => {
  assert.equal(loadConfig({ ...required, POSTERN_HTTP_PORT: '0' }).httpPort, 0)
  assert.equal(loadConfig({ ...required, POSTERN_DRAIN_SECONDS: '5' }).drainSeconds, 5)
})

test('reads lists separated by commas, with or without spaces', () => {
  const config = loadConfig({
    ...required,
    POSTERN_BROKER_URLS: 'amqp://a:5671, amqp://b:5672 ,amqp://c',
    POSTERN_CREDENTIAL_PREFIXES: 'SVC,IB',
  })
  assert.deepEqual(config.brokerUrls, ['amqp://a:5671', 'amqp://b:5672', 'amqp://c'])
  assert.deepEqual(config.credentialPrefixes, ['SVC', 'IB'])
})

test('an empty variable counts as unset', () => {
  assert.equal(loadConfig({ ...required, POSTERN_CELL: '', POSTERN_REDIS_URL: '' }).cell, '00')
})

test('the lists of one configuration are not shared with the next', () => {
  loadConfig(required).credentialPrefixes.push('leak')
  assert.deepEqual(loadConfig(required).credentialPrefixes, ['SVC', 'IB'])
})

test('every setting is described, has an example or a default, and is named after its key', () => {
  for (const [key, schema] of Object.entries(ConfigSchema.properties)) {
    assert.ok('example' in schema || 'default' in schema, key)
    assert.match(environmentName(key), /^POSTERN_[A-Z0-9_]+$/)
    assert.ok((schema as { description?: string }).description, key)
  }
  assert.equal(environmentName('publishTimeoutMs'), 'POSTERN_PUBLISH_TIMEOUT_MS')
})
