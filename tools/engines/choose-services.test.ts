import assert from 'node:assert/strict'
import test from 'node:test'
import { chooseServices, describeServices } from './choose-services.ts'

const external = {
  POSTERN_DATABASE_URL: 'postgres://postern:s3cret@db.example:5433/dev',
  POSTERN_BROKER_URLS: 'amqp://guest:s3cret@one.example:5672,amqp://guest:s3cret@two.example:5672/vhost',
  POSTERN_REDIS_URL: 'redis://:s3cret@cache.example',
}

test('the engines in the environment are used if all three URLs are set', () => {
  assert.deepEqual(chooseServices({ ...external, PATH: '/bin' }, undefined), { external })
})

test("the project's own services are used if no URL is set", () => {
  assert.deepEqual(chooseServices({ POSTERN_REDIS_URL: '' }, undefined), { external: undefined })
})

test('the warning names missing and ignored URLs', () => {
  const chosen = chooseServices({ POSTERN_REDIS_URL: external.POSTERN_REDIS_URL }, undefined)
  assert.equal(chosen.external, undefined)
  assert.match(
    chosen.warning!,
    /POSTERN_DATABASE_URL, POSTERN_BROKER_URLS missing\. POSTERN_REDIS_URL ignored/,
  )
})

test("the project's own services are started if the environment names them", () => {
  assert.deepEqual(chooseServices(external, external), { external: undefined })
  const other = { ...external, POSTERN_REDIS_URL: 'redis://127.0.0.1:6379' }
  assert.deepEqual(chooseServices(external, other), { external })
})

test('the description of engines has no passwords', () => {
  const text = describeServices(external)
  assert.equal(
    text,
    'PostgreSQL db.example:5433/dev, RabbitMQ one.example:5672, two.example:5672/vhost, Redis cache.example',
  )
})
