/** A reference stands only where a secret, an address or the name of an account does, and no error has its value. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Type } from 'typebox'
import { type ConnectorKind, defineConnector } from './kind.ts'
import { describeOptions } from './describe-options.ts'
import { secret, text } from './options.ts'
import { connectorKinds, loginOf, readOptions, takesOf } from './registry.ts'
import { requireReferencePlaces } from './reference-places.ts'

process.env['POSTERN_ROUTE_SECRET_CARRIER_PASSWORD'] = 'tiger{Secret}'
const reference = 'env:POSTERN_ROUTE_SECRET_CARRIER_PASSWORD'

test('every secret and certificate of every kind may be a reference', () => {
  for (const { name, options } of Object.values(connectorKinds))
    for (const row of describeOptions(options))
      if (row.secret || /(?:^|\.)tls\.(?:ca|cert|key)$/.test(row.name))
        assert.ok(row.reference, `${name} ${row.name}`)
})

test('the name of an account may be a reference, the rest of a link may not', () => {
  const options = { host: 'smsc.example', systemId: 'me', password: reference }
  assert.equal(readOptions('smpp', { ...options, systemId: reference })['systemId'], 'tiger{Secret}')
  for (const [place, given] of Object.entries({
    serviceType: { serviceType: reference },
    'parameters[0].value': { parameters: [{ tag: 5121, type: 'text', value: reference }] },
    port: { port: reference },
  }))
    assert.throws(
      () => readOptions('smpp', { ...options, ...given }),
      (error: Error) =>
        error.message.startsWith(`smpp options: ${place} must not be a reference`) &&
        !error.message.includes('tiger'),
    )
})

test('what a process asks of a stored route with a reference elsewhere has an answer', () => {
  const options = { host: 'smsc.example', systemId: 'me', longMessages: reference }
  assert.equal(takesOf('smpp', options), 'parts')
  assert.equal(loginOf('smpp', options), null)
})

test('an option that does not exist is named as before, and options may be nested in any depth', () => {
  const kind = defineConnector({
    ...connectorKinds['sandbox']!,
    options: Type.Object({ name: text('A name.', 10) }),
  })
  assert.doesNotThrow(() => requireReferencePlaces(kind, { nme: reference }))
  assert.throws(() => requireReferencePlaces(kind, { name: reference }), /name must not be a reference/)
  let deep: unknown = reference
  for (let level = 0; level < 100_000; level++) deep = [deep]
  assert.doesNotThrow(() => requireReferencePlaces(kind, { name: deep }))
  assert.throws(() => readOptions('smpp', { systemId: deep }), /nested in more than/)
})

test('an error that quotes the value of a reference has a mask in its place, and no cause that has it', (t) => {
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
  const message = 'quoting options: *** is wrong. `postern route put --help quoting` lists the options'
  assert.throws(
    () => readOptions('quoting', { key: reference }),
    (error: Error) => error.message === message && error.cause === undefined,
  )
})
