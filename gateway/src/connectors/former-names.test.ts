/** A route that is stored with former names of options is read, shown and masked like one with the names of now. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { selfSigned } from '../../test/support/certificate.ts'
import { serviceAccount as createServiceAccount } from '../../test/support/rbm.ts'
import { connectorKinds, loginOf, readOptions } from './registry.ts'
import type { Options } from './secrets.ts'
import { showOptions } from './show-options.ts'

const token = 'token-of-the-results'
const previous = 'token-of-last-year-1'
const maap = { agencyId: 'a', agencyKey: 'AK.a', webhookToken: token }
const account = { clientId: 'acme', password: 'secret08' }
const mm7 = { dialect: 'lgu', url: 'https://mmsc.example/', vaspId: 'v', vasId: 'v' }
const serviceAccount = createServiceAccount()
const { cert: ca } = selfSigned('service.example')

/** By kind: options with every former name that it has, and the same with the names of now. */
const routes: Readonly<Record<string, readonly [former: Options, current: Options]>> = {
  kakao: [
    {
      partnerKey: 'key',
      apiUrl: 'https://kakao.example',
      accountRetryMs: 7_000,
    },
    { partnerKey: 'key', url: 'https://kakao.example', loginPauseMs: 7_000 },
  ],
  omni: [
    { ...account, baseUrl: 'https://api.example.net', accountRetryMs: 7_000, requestTimeoutMs: 900, ca },
    { ...account, url: 'https://api.example.net', loginPauseMs: 7_000, responseTimeoutMs: 900, tls: { ca } },
  ],
  mm7: [
    { ...mm7, reportToken: token, previousReportToken: previous },
    { ...mm7, webhookToken: token, previousWebhookToken: previous },
  ],
  maap: [
    {
      ...maap,
      carriers: { kt: { url: 'https://maap.example', clientId: 'c', clientSecret: 's' } },
      accountRetryMs: 7_000,
    },
    {
      ...maap,
      carriers: { kt: { url: 'https://maap.example', clientId: 'c', clientSecret: 's' } },
      loginPauseMs: 7_000,
    },
  ],
  'maap-kt': [
    { ...maap, rcsId: 'c', rcsSecret: 's', accountRetryMs: 7_000 },
    { ...maap, rcsId: 'c', rcsSecret: 's', loginPauseMs: 7_000 },
  ],
  rbm: [
    { serviceAccount, agentId: 'a', clientToken: 't', loginRetryMs: 9_000, accountRetryMs: 7_000 },
    { serviceAccount, agentId: 'a', clientToken: 't', reconnectMaxMs: 9_000, loginPauseMs: 7_000 },
  ],
  smpp: [
    { host: 'smsc.example', systemId: 's', authenticationPauseMs: 7_000 },
    { host: 'smsc.example', systemId: 's', loginPauseMs: 7_000 },
  ],
}

test('every former name is in this test', () => {
  for (const [name, { formerNames = {} }] of Object.entries(connectorKinds)) {
    const [former = {}] = routes[name] ?? []
    assert.deepEqual(
      Object.keys(formerNames).filter((option) => !Object.hasOwn(former, option)),
      [],
      name,
    )
  }
})

for (const [name, [former, current]] of Object.entries(routes)) {
  test(`${name}: former names are read, shown and masked like those of now`, () => {
    assert.deepEqual(readOptions(name, former), readOptions(name, current))
    // Receipts of messages that were sent before an upgrade belong to the same login.
    assert.equal(loginOf(name, former), loginOf(name, current))
    assert.notEqual(loginOf(name, former), null)
    assert.deepEqual(showOptions(name, former), showOptions(name, current))
  })
}

test('a secret under its former name is masked, and an address is not', () => {
  const shown = (kind: string, former: object) => showOptions(kind, { ...former }).options
  assert.deepEqual(shown('kakao', { apiUrl: 'https://a.example' }), { url: 'https://a.example' })
  assert.deepEqual(shown('mm7', { reportToken: token }), { webhookToken: '***' })
})

test('an option with both names is refused, and neither value is lost or shown', () => {
  const both = { ...account, url: 'https://a.example', baseUrl: 'https://b.example' }
  assert.throws(() => readOptions('omni', both), /there is no option baseUrl/)
  assert.throws(
    () => readOptions('omni', { ...account, url: 'https://a.example', ca, tls: { ca } }),
    /there is no option ca\b/,
  )
})

test('other fields of a group stay', () => {
  const stored = { ...account, url: 'https://a.example', ca, tls: { cert: 'c' } }
  assert.deepEqual(showOptions('omni', stored).options['tls'], { ca, cert: 'c' })
})
