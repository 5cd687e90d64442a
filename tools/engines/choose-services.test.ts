import assert from 'node:assert/strict'
import test from 'node:test'
import { chooseServices, describeServices } from './choose-services.ts'

const given = {
  POSTERN_DATABASE_URL: 'postgres://postern:s3cret@db.example:5433/dev',
  POSTERN_BROKER_URLS: 'amqp://guest:s3cret@one.example:5672,amqp://guest:s3cret@two.example:5672/vhost',
  POSTERN_REDIS_URL: 'redis://:s3cret@cache.example',
}

test('uses the engines in the environment when all three URLs are set', () => {
  assert.deepEqual(chooseServices({ ...given, PATH: '/bin' }, undefined), { given })
})

test("uses the project's own services when no URL is set", () => {
  assert.deepEqual(chooseServices({ POSTERN_REDIS_URL: '' }, undefined), { given: undefined })
})

test('the warning names missing and ignored URLs', () => {
  const chosen = chooseServices({ POSTERN_REDIS_URL: given.POSTERN_REDIS_URL }, undefined)
  assert.equal(chosen.given, undefined)
  assert.match(
    chosen.warning!,
    /POSTERN_DATABASE_URL, POSTERN_BROKER_URLS missing\. POSTERN_REDIS_URL ignored/,
  )
})

test("restarts the project's own services when the environment names them", () => {
  assert.deepEqual(chooseServices(given, given), { given: undefined })
  const other = { ...given, POSTERN_REDIS_URL: 'redis://127.0.0.1:6379' }
  assert.deepEqual(chooseServices(given, other), { given })
})

test('describes engines without their passwords', () => {
  const text = describeServices(given)
  assert.equal(
    text,
    'PostgreSQL db.example:5433/dev, RabbitMQ one.example:5672, two.example:5672/vhost, Redis cache.example',
  )
})
