/** A carrier over HTTP that refuses the account: the link pauses, nothing fails, and one message at a time tries again. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test, type TestContext } from 'node:test'
import { recorded, submission } from '../../../test/support/smpp/fixtures.ts'
import { waitFor } from '../../../test/support/wait.ts'
import type { Connector } from '../connector.ts'
import { createConnector } from '../registry.ts'

const apiKey = 'SECRET-API-KEY'

test('an empty balance takes the link down with the words of the carrier, without the secret', async (t) => {
  const { connector, record, responses } = await open(t, { loginPauseMs: 60_000 })
  const outcome = connector.submit(message())
  refuse((await next(responses))!, `No funds for key ${apiKey}`)
  assert.equal((await outcome).kind, 'unreachable')
  assert.equal(connector.linked, false)
  assert.deepEqual(record.links.at(-1), {
    up: false,
    reason: 'the carrier refuses the account: 20100 No funds for key ***',
  })
  assert.deepEqual(record.events, ['account-refused'])
  assert.ok(!JSON.stringify(record.lines).includes(apiKey))
})

test('after the pause a single submission reaches the carrier until it is answered', async (t) => {
  const { connector, responses } = await open(t, { loginPauseMs: 20 })
  const first = connector.submit(message())
  refuse((await next(responses))!)
  await first
  for (const isToppedUp of [false, true]) {
    await waitFor('the link', () => connector.linked)
    const outcomes = Promise.all([1, 2, 3].map(() => connector.submit(message())))
    const probe = (await next(responses))!
    assert.equal(responses.length, 0)
    if (isToppedUp) accept(probe)
    else refuse(probe)
    if (isToppedUp) for (let rest = 0; rest < 2; rest++) accept((await next(responses))!)
    const kind = isToppedUp ? 'accepted' : 'unreachable'
    assert.deepEqual(
      (await outcomes).map((outcome) => outcome.kind),
      [kind, kind, kind],
    )
  }
})

async function open(
  t: TestContext,
  options: object,
): Promise<{
  readonly connector: Connector
  readonly record: ReturnType<typeof recorded>
  readonly responses: ServerResponse[]
}> {
  const responses: ServerResponse[] = []
  const server = createServer((request, response) => {
    request.resume()
    responses.push(response)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const record = recorded()
  const { port } = server.address() as AddressInfo
  const connector = createConnector(
    'http',
    {
      profile: 'telnyx',
      values: { publicKey: Buffer.alloc(32, 1).toString('base64') },
      secrets: { apiKey },
      send: { url: `http://127.0.0.1:${port}/messages`, fields: { to: '{to|plus}', text: '{text}' } },
      ...options,
    },
    record.context,
  )
  connector.start()
  t.after(async () => {
    await connector.stop(100)
    server.close()
    server.closeAllConnections()
  })
  return { connector, record, responses }
}

const message = () => submission({ part: null })

async function next(responses: ServerResponse[]): Promise<ServerResponse | undefined> {
  await waitFor('a request', () => responses.length > 0)
  return responses.shift()
}

function refuse(
  response: ServerResponse,
  detail = 'You do not have enough funds to perform this action.',
): void {
  response
    .writeHead(402)
    .end(JSON.stringify({ errors: [{ code: '20100', title: 'Insufficient Funds', detail }] }))
}

function accept(response: ServerResponse): void {
  response.writeHead(200).end(JSON.stringify({ data: { id: 'm1' } }))
}
