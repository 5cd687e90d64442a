/**
 * Attack: a client sets webhook URLs that lead into the network of the operator: every spelling of a private
 * address, a name that resolves there, and its own receiver that redirects there. The server inside must get
 * no connection.
 */
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import type { Envelope } from '../support/processes/account-client.ts'
import { runTargetAttack } from './attack.ts'
import { openAttackReceiver } from './receiver.ts'

type Answer = Envelope & { readonly data?: { readonly webhookId: string; readonly acknowledged?: boolean } }

const hosts = [
  ...['127.0.0.1', '127.1', '127.0.1', '0x7f000001', '0177.0.0.1', '2130706433', '0', '0.0.0.0'],
  ...[
    '[::1]',
    '[::]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[64:ff9b::7f00:1]',
    '[fe80::1]',
    '[fd00::1]',
  ],
  ...[
    '10.0.0.1',
    '172.16.0.1',
    '192.168.0.1',
    '169.254.169.254',
    '100.64.0.1',
    '224.0.0.1',
    '255.255.255.255',
  ],
]
const spellings = (port: number): string[] => [
  ...hosts.flatMap((host) => [`https://${host}:${port}/`, `http://${host}:${port}/`]),
  ...[
    'https://example.com@127.0.0.1/',
    'https://127.0.0.1\\@example.com/',
    'https://127.0.0.1#@example.com/',
  ],
  ...[
    'https:///127.0.0.1/',
    'https:/127.0.0.1/',
    '//127.0.0.1/',
    'https://１２７.0.0.1/',
    'https://127。0。0。1/',
  ],
  ...['file:///etc/passwd', 'gopher://127.0.0.1:6379/_FLUSHALL', 'ftp://127.0.0.1/', 'https://exa mple.com/'],
  ...['https://example.com\r\nHost: inside/', 'https://example.com:0/', 'https://[::1%25lo]/'],
]

// The redirecting receiver is in a network that the operator has allowed; its redirect target is not.
await runTargetAttack(
  { POSTERN_WEBHOOK_ALLOWED_NETWORKS: '127.0.0.2/32' },
  async ({ attacker, wrong, report }) => {
    let connections = 0
    const inside = createServer((socket) => {
      connections++
      socket.destroy()
    })
    await new Promise<void>((resolve) => inside.listen(0, '127.0.0.1', resolve))
    const { port } = inside.address() as AddressInfo
    const receiver = await openAttackReceiver('127.0.0.2', `http://127.0.0.1:${port}/`)
    const call = async (method: string, path: string, body?: object): Promise<Answer> =>
      (await attacker.call<Answer>(method, path, body === undefined ? undefined : JSON.stringify(body))).body
    try {
      const { data, code } = await call('POST', '/v1/webhook', { url: receiver.url })
      if (data === undefined) throw new Error(`the webhook of the attacker was rejected: ${code}`)
      const urls = spellings(port)
      for (const url of urls) {
        const made = await call('POST', '/v1/webhook', { url })
        if (made.data !== undefined) wrong(`${JSON.stringify(url)} was accepted`)
        const changed = await call('PUT', `/v1/webhook/${data.webhookId}`, { url })
        if (changed.code === 'A000') wrong(`a webhook was changed to ${JSON.stringify(url)}`)
      }
      // With allowed networks a name may be intended: its address is checked at the connection.
      const named = await call('POST', '/v1/webhook', { url: `https://localhost:${port}/` })
      if (named.data !== undefined) await call('POST', `/v1/webhook/${named.data.webhookId}/test`)
      const test = await call('POST', `/v1/webhook/${data.webhookId}/test`)
      if (receiver.arrivals.length !== 1) wrong('the receiver of the attacker got no test')
      if (test.data?.acknowledged !== false) wrong('a redirect counts as an acknowledgement')
      report(`${urls.length} URLs, a redirect: ${connections} connections inside`)
      if (connections > 0) wrong(`the server inside got ${connections} connections`)
    } finally {
      receiver.close()
      inside.close()
    }
  },
)
