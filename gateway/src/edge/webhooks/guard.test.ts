/** Every known way to make a webhook reach an internal network is refused before a byte is sent. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addCleanup } from '../../../test/support/cleanup.ts'
import { openReceiver } from '../../../test/load/webhooks/receiver.ts'
import { createGuard } from './guard.ts'
import { createAddressCheck } from '../../platform/networks.ts'
import { openConnections, type PushOutcome } from './push/push.ts'

const guard = createGuard({
  allowedNetworks: [],
  ports: [],
  resolve: () => Promise.resolve(['93.184.216.34']),
})

const attacks = [
  // Loopback, in every spelling.
  ...[
    'http://127.0.0.1/',
    'http://127.0.0.2:8080/',
    'http://127.255.255.255/',
    'http://127.1/',
    'http://127.0.1/',
  ],
  ...[
    'http://2130706433/',
    'http://0x7f000001/',
    'http://0x7f.0.0.1/',
    'http://0x7F.1/',
    'http://017700000001/',
  ],
  ...[
    'http://0177.0.0.1/',
    'http://0177.0.0.01/',
    'http://127.0.0.1./',
    'http://127%2e0%2e0%2e1/',
    'http://%31%32%37.0.0.1/',
  ],
  ...[
    'http://[::1]/',
    'http://[0:0:0:0:0:0:0:1]/',
    'http://[0000::0001]/',
    'http://localhost/',
    'http://LOCALHOST/',
  ],
  ...[
    'http://localhost./',
    'http://foo.localhost/',
    'http://①②⑦.⓪.⓪.①/',
    'http://ⓛocalhost/',
    'http://127。0。0。1/',
  ],
  // The unspecified address.
  ...['http://0/', 'http://0.0.0.0/', 'http://0.1.2.3/', 'http://[::]/', 'http://0x0/', 'http://00/'],
  // Private, shared, link-local.
  ...[
    'http://10.0.0.1/',
    'http://172.16.0.1/',
    'http://172.31.255.254/',
    'http://192.168.1.1/',
    'http://100.64.0.1/',
  ],
  ...[
    'http://169.254.0.1/',
    'http://0xa000001/',
    'http://012.0.0.1/',
    'http://3232235777/',
    'http://[fe80::1]/',
  ],
  ...['http://[fc00::1]/', 'http://[fd12:3456::1]/', 'http://[fec0::1]/', 'http://[fe80::1%25eth0]/'],
  // Metadata of clouds.
  ...[
    'http://169.254.169.254/latest/meta-data/',
    'http://2852039166/',
    'http://0xa9fea9fe/',
    'http://0251.0376.0251.0376/',
  ],
  ...['http://[fd00:ec2::254]/', 'http://100.100.100.200/', 'http://192.0.0.192/', 'http://168.63.129.16/'],
  ...['http://metadata.google.internal/', 'http://metadata.google.internal./', 'http://metadata/'],
  // An IPv4 address inside an IPv6 one.
  ...[
    'http://[::ffff:127.0.0.1]/',
    'http://[::ffff:7f00:1]/',
    'http://[::ffff:8.8.8.8]/',
    'http://[::127.0.0.1]/',
  ],
  ...[
    'http://[::ffff:0:127.0.0.1]/',
    'http://[64:ff9b::7f00:1]/',
    'http://[64:ff9b:1::a00:1]/',
    'http://[2002:7f00:1::]/',
  ],
  ...['http://[2002:a9fe:a9fe::1]/', 'http://[2001:0:a00:1::1]/', 'http://[2606:4700::5efe:a00:1]/'],
  // Multicast, broadcast, reserved, documentation, benchmarks.
  ...[
    'http://224.0.0.1/',
    'http://239.255.255.250/',
    'http://255.255.255.255/',
    'http://240.0.0.1/',
    'http://192.0.2.1/',
  ],
  ...[
    'http://198.51.100.1/',
    'http://203.0.113.1/',
    'http://198.18.0.1/',
    'http://192.88.99.1/',
    'http://[ff02::1]/',
  ],
  ...['http://[2001:db8::1]/', 'http://[100::1]/', 'http://[3fff::1]/', 'http://[5f00::1]/'],
  // Other schemes, and URLs that two parsers read differently.
  ...[
    'file:///etc/passwd',
    'gopher://127.0.0.1:6379/_INFO',
    'ftp://example.com/',
    'unix:/var/run/docker.sock',
    'data:,x',
  ],
  ...[
    'javascript:alert(1)',
    'http:example.com',
    'http:///example.com',
    'http:\\\\127.0.0.1\\',
    'https:/\\127.0.0.1/',
    '//127.0.0.1/',
  ],
  ...[
    'http://user@example.com/',
    'http://user:pass@example.com/',
    'http://@example.com/',
    'http://example.com@127.0.0.1/',
  ],
  ...[
    'http://127.0.0.1#@example.com/',
    'http://127.0.0.1\\@example.com/',
    'http://example.com\t.evil/',
    ' http://127.0.0.1/',
  ],
  ...[
    'http://exa mple.com/',
    'http://example.com:0/',
    'http://example.com:99999/',
    'http://256.256.256.256/',
    'http://[::1/',
    'http://',
  ],
  ...[
    'http://example.com/\r\nHost: 127.0.0.1',
    'http://printer.local/',
    'http://router.lan/',
    'http://db.corp/',
    `http://example.com/${'a'.repeat(2_001)}`,
  ],
]

test(`refuses ${attacks.length} URLs that reach an internal network`, () => {
  assert.ok(new Set(attacks).size === attacks.length && attacks.length >= 60)
  assert.deepEqual(
    attacks.filter((url) => guard.refuseUrl(url) === null),
    [],
  )
})

test('allows public URLs', () => {
  for (const url of [
    ...['https://example.com/hook', 'http://example.com:8080/hook?a=b', 'https://hooks.example.co.kr/a/b#c'],
    ...['https://8.8.8.8/hook', 'https://[2606:4700:4700::1111]/hook', 'https://xn--bj0bj06e.kr/'],
  ])
    assert.equal(guard.refuseUrl(url), null, url)
})

async function pushTo(
  url: string,
  addresses: string[] | (() => string[]),
  allowed: string[] = [],
): Promise<PushOutcome> {
  const resolve = (): Promise<string[]> =>
    Promise.resolve(typeof addresses === 'function' ? addresses() : addresses)
  const connections = openConnections(createGuard({ allowedNetworks: allowed, ports: [], resolve }), 1)
  try {
    return await connections.push({ url, headers: {}, body: '{"msgKey":"1"}', timeoutMs: 2_000, msgKey: '1' })
  } finally {
    connections.close()
  }
}

test('refuses at connect time a public name that resolves to an internal address', async () => {
  const receiver = await openReceiver()
  addCleanup(() => receiver.close())
  const { port } = new URL(receiver.url)
  const url = `http://rebind.example.com:${port}/`
  for (const address of [
    ...['127.0.0.1', '10.1.2.3', '169.254.169.254', '::1', '::ffff:127.0.0.1', '64:ff9b::7f00:1', 'fd00::1'],
    ...['0.0.0.0', 'fe80::1%lo', 'not-an-address', ''],
  ]) {
    const outcome = await pushTo(url, [address])
    assert.equal(outcome.kind, 'failed')
    assert.match(
      (outcome as { error: string }).error,
      /^connection failed: the host name resolves to an address/,
      address,
    )
  }
  // Public and internal addresses together, and none at all.
  assert.match(String(Object.values(await pushTo(url, ['93.184.216.34', '127.0.0.1']))), /not public/)
  assert.match(String(Object.values(await pushTo(url, []))), /not public/)
  assert.equal(receiver.arrivals.length, 0)
})

test('checks every connection: a name that later resolves to an internal address is refused', async () => {
  const receiver = await openReceiver(() => ({ status: 200, headers: { connection: 'close' } }))
  addCleanup(() => receiver.close())
  const answers = [['127.0.0.1'], ['169.254.169.254']]
  const resolve = (): Promise<string[]> => Promise.resolve(answers.shift()!)
  const connections = openConnections(
    createGuard({ allowedNetworks: ['127.0.0.0/8'], ports: [], resolve }),
    1,
  )
  const push = { headers: {}, body: '{"msgKey":"1"}', timeoutMs: 2_000, msgKey: '1' }
  const url = `http://rebind.example.com:${new URL(receiver.url).port}/`
  assert.equal((await connections.push({ ...push, url })).kind, 'acknowledged')
  assert.equal((await connections.push({ ...push, url })).kind, 'failed')
  connections.close()
  assert.equal(receiver.arrivals.length, 1)
})

test('refuses a literal address at the push, even if it was allowed before', async () => {
  const receiver = await openReceiver()
  addCleanup(() => receiver.close())
  const outcome = await pushTo(receiver.url, [])
  assert.deepEqual([outcome.kind, receiver.arrivals.length], ['failed', 0])
})

test('allows the networks and ports that the operator names, and no others', () => {
  const configured = createGuard({ allowedNetworks: ['10.1.0.0/16', 'fd00:1::/32'], ports: [443, 8443] })
  assert.equal(configured.refuseUrl('https://10.1.2.3/'), null)
  assert.equal(configured.refuseUrl('https://[fd00:1::5]:8443/'), null)
  assert.equal(configured.refuseUrl('https://hooks.corp/'), null)
  assert.notEqual(configured.refuseUrl('https://10.2.0.1/'), null)
  assert.notEqual(configured.refuseUrl('https://[::ffff:10.1.2.3]/'), null)
  assert.notEqual(configured.refuseUrl('http://example.com/'), null)
  assert.throws(() => createAddressCheck(['ten']), /'ten' must be a network/)
})
