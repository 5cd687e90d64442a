import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { suite, test } from 'node:test'
import { serviceAccount } from '../../../test/support/carriers/rbm.ts'
import { channels } from '../../channels/registry.ts'
import { describeOptions } from './describe.ts'
import { patternWords } from './options/options.ts'
import { providers } from './providers/index.ts'
import { connectorKinds, createInbound, getKind, findLogin, readOptions } from './registry.ts'

for (const [name, kind] of Object.entries(connectorKinds)) {
  suite(name, () => {
    test('has a name for --protocol, a summary, channels and a valid example', () => {
      assert.match(name, /^[a-z0-9-]{1,32}$/)
      assert.match(kind.summary, /^[A-Z].*\.$/)
      assert.ok(kind.channels.length > 0)
      for (const channel of kind.channels) assert.ok(Object.hasOwn(channels, channel))
      for (const [, variable] of JSON.stringify(kind.example).matchAll(/"env:([A-Z0-9_]+)"/g))
        process.env[variable!] =
          variable === 'POSTERN_ROUTE_SECRET_RBM_SERVICE_ACCOUNT' ? serviceAccount() : 'secret08-secret08'
      readOptions(name, kind.example)
    })

    test('describes every option', () => {
      for (const row of describeOptions(kind.options)) assert.notEqual(row.description, '', row.name)
    })

    test('marks the options that determine where it connects and which certificates it trusts', () => {
      const rows = describeOptions(kind.options)
      const names = /(^|\.)(url|\w+Url|host|port|region|ca|verify|serverName)$/
      const expected = rows.filter((row) => names.test(row.name))
      const addresses = rows.filter(({ address }) => address).map((row) => row.name)
      const isAddress = (path: string) =>
        addresses.some((address) => path === address || path.startsWith(`${address}.`))
      assert.deepEqual(
        expected.map((row) => row.name).filter((path) => !isAddress(path)),
        [],
      )
      if (name !== 'sandbox') assert.ok(addresses.length > 0)
    })

    test('describes every pattern and has a title for every long enum', () => {
      const walk = (node: unknown): void => {
        if (typeof node !== 'object' || node === null) return
        const { pattern, enum: values, title } = node as Readonly<Record<string, unknown>>
        if (typeof pattern === 'string') assert.ok(patternWords[pattern], pattern)
        if (Array.isArray(values) && values.length > 12) assert.equal(typeof title, 'string', String(values))
        Object.values(node).forEach(walk)
      }
      walk(kind.options)
    })

    test('declares every event that its sources name, with a meaning', () => {
      const folder = new URL(`${name.split('-')[0]}/`, import.meta.url)
      // The events of providers are named by their kit, and its test receives all of them.
      const files = providers.some((provider) => provider.name === name) ? [] : readdirSync(folder)
      const sources = files.filter((file) => /^(?!.*\.test\.).*\.ts$/.test(file))
      const text = sources.map((file) => readFileSync(new URL(file, folder), 'utf8')).join('\n')
      const named = [...text.matchAll(/(?:onEvent\(|events: \[|events\.push\()'([a-z-]+)'/g)]
      // A folder may have several kinds.
      const kinds = Object.values(connectorKinds).filter(
        (other) => other.name.split('-')[0] === name.split('-')[0],
      )
      for (const [, event] of named)
        assert.ok(
          kinds.some(({ events }) => Object.hasOwn(events, event!)),
          event,
        )
      for (const [event, meaning] of Object.entries(kind.events)) {
        assert.match(event, /^[a-z-]{1,32}$/)
        assert.match(meaning, /^[A-Z].*\.$/)
      }
    })

    test('rejects an unknown option', () => {
      assert.throws(
        () => readOptions(name, { ...kind.example, noSuchOption: 1 }),
        /unknown option noSuchOption/,
      )
    })
  })
}

test('an unknown protocol is refused with the nearest one', () => {
  assert.throws(() => getKind('smp'), /must be one of .*smpp.* got 'smp'; did you mean smpp\?/)
  assert.throws(() => getKind('toString'), /got 'toString'$/)
})

test('an unknown option is rejected with a suggestion, without its value', () => {
  const required = { host: 'smsc.example', systemId: 'postern' }
  assert.throws(
    () => readOptions('smpp', { ...required, pasword: 'hush' }),
    (error: Error) => {
      assert.equal(error.message, 'smpp options: unknown option pasword; did you mean password?')
      return true
    },
  )
  assert.throws(
    () => readOptions('smpp', { ...required, tls: { severName: 'x' } }),
    /unknown option tls\.severName; did you mean tls\.serverName\?/,
  )
  assert.throws(() => readOptions('smpp', { ...required, zzz: 1 }), /unknown option zzz$/)
})

test('an error states the constraint of the option', () => {
  const refused = (options: object, text: string): void => {
    const settings = JSON.parse(JSON.stringify({ partnerKey: 'hush', ...options })) as object
    assert.throws(() => readOptions('kakao', { ...settings }), { message: `kakao options: ${text}` })
  }
  refused({ results: { AT: 'hush' } }, 'results.AT must be one of "realtime", "push", "polling"')
  refused({ originCode: 'hush-hush' }, 'originCode must be 1 to 20 digits and letters')
  refused({ partnerKey: undefined }, 'partnerKey is required')
  refused({ window: 0 }, 'window must be at least 1')
  refused({ results: { AI: 'polling' } }, 'channelKey is required with polling')
})

test('the login is the same whatever secret this process can read, and differs between kinds', () => {
  const options = { host: 'SMSC.example', systemId: 'postern', password: 'env:NOT_SET_ANYWHERE' }
  assert.equal(findLogin('smpp', options), '["smpp","smsc.example","postern"]')
  assert.equal(findLogin('smpp', { ...options, receiptGroup: 'g' }), '["smpp","g"]')
  assert.equal(findLogin('sandbox', {}), '["sandbox"]')
  assert.equal(findLogin('smpp', {}), null)
  assert.equal(findLogin('smpp', { ...options, systemId: 'env:NOT_SET' }), null)
  assert.equal(findLogin('unknown', {}), null)
})

test('a kind whose carrier sends no requests has no inbound handler', () => {
  for (const kind of ['sandbox', 'kakao']) assert.equal(createInbound(kind, {}), undefined)
})
