/** Every kind describes itself completely, and its options are checked with errors that help. */
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { serviceAccount } from '../../test/support/rbm.ts'
import { channels } from '../channels/registry.ts'
import { describeOptions } from './describe-options.ts'
import { connectorKinds, createInbound, kindOf, loginOf, readOptions } from './registry.ts'

for (const [name, kind] of Object.entries(connectorKinds)) {
  suite(name, () => {
    test('has a name for --protocol, a summary, channels and a valid example', () => {
      assert.match(name, /^[a-z0-9-]{1,32}$/)
      assert.match(kind.summary, /^[A-Z].*\.$/)
      assert.ok(kind.channels.length > 0)
      for (const channel of kind.channels) assert.ok(Object.hasOwn(channels, channel))
      for (const [, variable] of JSON.stringify(kind.example).matchAll(/"env:([A-Z0-9_]+)"/g))
        process.env[variable!] = variable === 'RBM_SERVICE_ACCOUNT' ? serviceAccount() : 'secret08-secret08'
      readOptions(name, kind.example)
    })

    test('describes every option', () => {
      for (const row of describeOptions(kind.options)) assert.notEqual(row.description, '', row.name)
    })

    test('refuses an option that it does not know', () => {
      assert.throws(() => readOptions(name, { ...kind.example, noSuchOption: 1 }), /no option noSuchOption/)
    })
  })
}

test('an unknown protocol is refused with the nearest one', () => {
  assert.throws(() => kindOf('smp'), /must be one of .*smpp.* but is 'smp'; did you mean smpp\?/)
  assert.throws(() => kindOf('toString'), /but is 'toString'$/)
})

test('an unknown option is refused with the nearest one, at any depth, and without its value', () => {
  const required = { host: 'smsc.example', systemId: 'postern' }
  assert.throws(
    () => readOptions('smpp', { ...required, pasword: 'hush' }),
    (error: Error) => {
      assert.equal(error.message, 'smpp options: there is no option pasword; did you mean password?')
      return true
    },
  )
  assert.throws(
    () => readOptions('smpp', { ...required, tls: { severName: 'x' } }),
    /no option tls\.severName; did you mean tls\.serverName\?/,
  )
  assert.throws(() => readOptions('smpp', { ...required, zzz: 1 }), /there is no option zzz$/)
})

test('the login is the same whatever secret this process can read, and differs between kinds', () => {
  const options = { host: 'SMSC.example', systemId: 'postern', password: 'env:NOT_SET_ANYWHERE' }
  assert.equal(loginOf('smpp', options), '["smpp","smsc.example","postern"]')
  assert.equal(loginOf('smpp', { ...options, receiptGroup: 'g' }), '["smpp","g"]')
  assert.equal(loginOf('sandbox', {}), '["sandbox"]')
  assert.equal(loginOf('smpp', {}), null)
  assert.equal(loginOf('smpp', { ...options, systemId: 'env:NOT_SET' }), null)
  assert.equal(loginOf('unknown', {}), null)
})

test('a kind without requests of its carrier has no reader for them', () => {
  assert.equal(createInbound('sandbox', {}), undefined)
})
