/**
 * The simulated RBM server, a process that shares no code with the gateway, chooses its behaviour by the ending (last four
 * digits) of the recipient. Tests the outcomes, receipts and counted events of every ending. The server must also accept
 * every golden request, the assertion of the service account and the webhook.
 */
import assert from 'node:assert/strict'
import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, suite, test } from 'node:test'
import { goldenBodies } from '../../../../test/support/carriers/rbm-golden.ts'
import { publicKey, rcsSubmission, serviceAccount } from '../../../../test/support/carriers/rbm.ts'
import { Program } from '../../../../test/support/processes/program.ts'
import { recorded } from '../../../../test/support/smpp/fixtures.ts'
import { waitFor } from '../../../../test/support/wait.ts'
import { behaviours } from '../../../../../simulator/src/rbm/behaviours.ts'
import type { Connector, SubmitOutcome } from '../connector.ts'
import { createConnector, createInbound } from '../registry.ts'
import { toRbmMessageId } from './message-id.ts'

/** Outcomes of one submission after the other with the same reference, and the causes of the receipts. */
const endings: Readonly<Record<string, readonly [outcomes: string, receipts: string]>> = {
  '0001': ['accepted', 'delivered'],
  '0002': ['unsupported', ''],
  '0003': ['accepted', ''],
  '0004': ['accepted', 'delivered delivered'],
  '0005': ['accepted', 'delivered'],
  '0006': ['accepted', 'timeout'],
  '0007': ['accepted', 'delivered'],
  '0008': ['unsupported', ''],
  '0009': ['throttled accepted', 'delivered'],
  '0010': ['throttled throttled throttled throttled throttled accepted', 'delivered'],
  '0011': ['accepted', 'delivered'],
  '0012': ['unknown accepted', 'delivered'],
  '0013': ['unknown unknown', ''],
  '0014': ['accepted', 'delivered delivered'],
  '0015': ['accepted', 'delivered'],
  '0016': ['accepted', 'delivered'],
  '0017': ['unknown accepted', 'delivered'],
  '0018': ['unknown accepted', 'delivered'],
  '0019': ['unreachable', ''],
  '0020': ['accepted', 'pending'],
  '0021': ['accepted', 'delivered delivered'],
  '0022': ['accepted', ''],
  '0053': ['unknown unknown', ''],
  '0054': ['unknown accepted', 'delivered'],
  '0055': ['unknown accepted', 'delivered'],
  '0056': ['unknown accepted', 'delivered'],
  '0058': ['accepted', 'delivered'],
  '0071': ['accepted', 'delivered'],
  '0072': ['accepted', 'delivered'],
  '0073': ['accepted', 'delivered'],
  '0074': ['accepted', 'delivered'],
  '0075': ['accepted', 'delivered'],
  '0076': ['accepted', 'delivered'],
}
/** Events of 0007, 0071 to 0076, and the handshake. */
const events = { 'opt-in': 1, 'opt-out': 1, reply: 5, suggestion: 1, typing: 1, 'webhook-verified': 1 }

const record = recorded()
const seen: string[] = []
const button = { type: 'URL', name: '보기', url: 'https://example.com/' }
const card = { title: '제목', text: '본문', media: 'maapfile://BR.acme.1', button: [button] }
let connector: Connector
let controlUrl: string
let close: () => Promise<void>

const referenceOf = (nth: number): string => `20261115000000000C00A${String(nth).padStart(11, '0')}-1-1-1`
const kindOf = (outcome: SubmitOutcome): string => (outcome.kind === 'refused' ? outcome.cause : outcome.kind)

suite('the simulated RBM server', () => {
  before(async () => ({ connector, controlUrl, close } = await open()))
  after(() => close())

  test('this test has every ending of the simulator', () => {
    assert.deepEqual(Object.keys(endings).sort(), behaviours.map(({ ending }) => ending).sort())
  })

  test('the webhook is verified', async () => {
    const answer = await fetch(`${controlUrl}/verify-webhook`, { method: 'POST' })
    assert.deepEqual(await answer.json(), { verified: true })
  })

  test('every golden request is accepted', async () => {
    for (const [nth, [name, body]] of Object.entries(goldenBodies()).entries()) {
      const outcome = await connector.submit(rcsSubmission(body, { reference: referenceOf(10_000 + nth) }))
      assert.equal(outcome.kind, 'accepted', `${name}: ${JSON.stringify(outcome)}`)
    }
  })

  test('recipients without RCS are found before a message is sent', async () => {
    assert.equal(await connector.capability!('01012340002'), 'incapable')
    assert.equal(await connector.capability!('01012340001'), 'capable')
  })

  test('a message is accepted after every token has expired', async () => {
    await fetch(`${controlUrl}/expire-tokens`, { method: 'POST' })
    const outcome = await connector.submit(submissionTo('9999', 20_000))
    assert.equal(outcome.kind, 'accepted')
  })

  test('every ending has its outcomes and its receipts', async () => {
    await Promise.all(
      Object.entries(endings).map(async ([ending, [outcomes]]) => {
        const kinds: string[] = []
        for (let nth = 0; nth < outcomes.split(' ').length; nth++)
          kinds.push(kindOf(await connector.submit(submissionTo(ending, Number(ending)))))
        assert.equal(kinds.join(' '), outcomes, ending)
      }),
    )
    for (const [ending, [, expected]] of Object.entries(endings)) {
      const id = toRbmMessageId(referenceOf(Number(ending)))
      const causes = (): string =>
        record.receipts
          .filter(({ carrierId }) => carrierId === id)
          .map(({ result, cause }) => (result === 'pending' ? result : cause))
          .join(' ')
      await waitFor(`the receipts of ${ending}`, () => causes().length >= expected.length)
      assert.equal(causes(), expected, ending)
    }
    const counts = (): object =>
      Object.fromEntries(
        Object.entries(Object.groupBy(seen, (name) => name)).map(([name, times]) => [name, times!.length]),
      )
    await waitFor(
      'the events',
      () => seen.length >= Object.values(events).reduce((sum, count) => sum + count),
    )
    assert.deepEqual(counts(), events)
    const answer = await fetch(`${controlUrl}/duplicates`)
    const { duplicates } = (await answer.json()) as { readonly duplicates: readonly unknown[] }
    assert.deepEqual(duplicates, [])
  })
})

function submissionTo(ending: string, nth: number): ReturnType<typeof rcsSubmission> {
  const body = { from: '15881234', to: `0101234${ending}`, formatId: 'SMwThT00', brandKey: 'BK.acme' }
  return rcsSubmission(
    { ...body, content: { standalone: card } },
    { reference: referenceOf(nth), validUntil },
  )
}

/** The same in every repeat. */
const validUntil = new Date(Date.now() + 3_600_000)

async function open() {
  // Created late: the receiver needs the options, they need the carrier's port, and the carrier needs the URL for events.
  const reader: { inbound: ReturnType<typeof createInbound> } = { inbound: undefined }
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const { method = '', url: path = '', headers } = request
      const query = new URLSearchParams()
      const result = reader.inbound!({ method, path, headers, query, body: Buffer.concat(chunks) })
      record.receipts.push(...result.receipts)
      seen.push(...(result.events ?? []))
      response.writeHead(result.response.status, {
        'content-type': result.response.contentType ?? 'text/plain',
      })
      response.end(result.response.body)
    })
  })
  server.listen(0, '127.0.0.1')
  await waitFor('the receiver of events', () => server.listening)
  const directory = await mkdtemp(join(tmpdir(), 'rbm-'))
  await writeFile(join(directory, 'key.pem'), publicKey)
  const webhookUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  const settings = {
    ...{
      port: '0',
      'control-port': '0',
      'webhook-url': webhookUrl,
      'public-key': join(directory, 'key.pem'),
    },
    'client-email': 'agent@acme.example',
    'agent-id': 'acme_agent',
    'client-token': 'client-token',
    'slow-ms': '100',
    'late-ms': '200',
  }
  const args = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value])
  const simulator = new Program({
    name: 'rbm',
    script: 'simulator/src/main.ts',
    args: ['rbm', ...args],
    environment: {},
    directory,
  })
  simulator.start()
  const line = await waitFor('the simulator', async () =>
    (await readFile(simulator.logFile, 'utf8')).split('\n').find((text) => text.includes('"ready"')),
  )
  const ready = JSON.parse(line) as { readonly port: number; readonly controlPort: number }
  const url = `http://127.0.0.1:${ready.port}`
  const options = {
    url,
    serviceAccount: serviceAccount({ token_uri: `${url}/token` }),
    agentId: 'acme_agent',
    clientToken: 'client-token',
    responseTimeoutMs: 2_500,
  }
  reader.inbound = createInbound('rbm', options)
  const file = { key: 'a', bytes: Buffer.from('png'), contentType: 'image/png', name: 'a.png' }
  const opened = createConnector('rbm', options, { ...record.context, openFile: () => Promise.resolve(file) })
  opened.start()
  await waitFor('the link', () => opened.linked)
  return {
    connector: opened,
    controlUrl: `http://127.0.0.1:${ready.controlPort}`,
    close: async () => {
      await opened.stop()
      await simulator.stop()
      server.close()
      server.closeAllConnections()
    },
  }
}
