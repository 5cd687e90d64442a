/**
 * The admin API client against misbehaving servers: every failure ends in time, with the next step and
 * without the key.
 */
import assert from 'node:assert/strict'
import { createServer as createSecureServer } from 'node:https'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { selfSigned } from '../../../test/support/engines/certificate.ts'
import { addCleanup } from '../../../test/support/cleanup.ts'
import { createOperatorKey } from '../../identity/operators/key.ts'
import { retryParkedJobs } from '../parked/calls.ts'
import { AdminClient } from './client.ts'
import { HttpTransport } from './http.ts'
import { hasCode } from '../../operations/errors.ts'
import { readAddress } from './address.ts'

const { text: key, keyId } = createOperatorKey()

async function serve(answer: RequestListener, certificate?: { key: string; cert: string }): Promise<string> {
  const server = certificate === undefined ? createServer(answer) : createSecureServer(certificate, answer)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  addCleanup(() => {
    server.closeAllConnections()
    server.close()
  })
  const scheme = certificate === undefined ? 'http' : 'https'
  return `${scheme}://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const json =
  (status: number, body: object): RequestListener =>
  (_request, response) =>
    void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))

async function failure(url: string, profile: string | null = 'p', timeoutMs = 20_000): Promise<string> {
  const limits = { timeoutMs, maxBytes: 1_000 }
  const client = new AdminClient(new HttpTransport({ url, key, profile }, limits))
  const error = await client.call('showMe', {}).then(
    () => assert.fail('it succeeded'),
    (caught: unknown) => caught as Error,
  )
  assert.match(error.name, /^(FailedError|OperationError)$/)
  assert.ok(!error.message.includes(key), 'the key is in the error')
  return error.message
}

test('an invalid key is named with the next sign-in command', async () => {
  const url = await serve(json(401, { code: 'unauthenticated', detail: 'x' }))
  assert.match(
    await failure(url),
    new RegExp(`refused the key ${keyId}: .*expired.*postern login --url ${url} --profile p`),
  )
  assert.match(await failure(url, null), /set POSTERN_OPERATOR_KEY to a valid key/)
})

test('other refusals are passed on with the time of a retry', async () => {
  const forbidden = { code: 'forbidden', detail: 'vi has the role viewer' }
  assert.equal(await failure(await serve(json(403, forbidden))), 'vi has the role viewer')
  const busy = json(503, { code: 'unavailable', detail: 'busy', retryAfterSeconds: 5 })
  assert.match(await failure(await serve(busy)), /busy, after 5 s$/)
  const older = json(404, { code: 'not-found', detail: 'x', facts: { resource: 'path' } })
  assert.match(await failure(await serve(older)), /its version differs/)
  assert.match(await failure(await serve(json(500, { code: 'internal', detail: 'x' }))), /see the log/)
})

test('a failure after which the change may have been made is reported as such', async () => {
  const created = async (answer: RequestListener): Promise<string> => {
    const client = new AdminClient(new HttpTransport({ url: await serve(answer), key, profile: null }))
    const error = await client
      .call('createAccount', { body: { name: 'Shop' } })
      .catch((caught: unknown) => caught)
    return (error as Error).message
  }
  const mayBeDone = /the change may have been done; check `postern audit list` before you repeat it/
  assert.match(await created((_request, response) => void response.writeHead(504).end('<html>')), mayBeDone)
  assert.match(await created(json(200, { code: 'success', result: '' })), mayBeDone)
  assert.match(await created(json(500, { code: 'internal', detail: 'x' })), mayBeDone)
  assert.match(await created(json(503, { code: 'unavailable', detail: 'x' })), mayBeDone)
  assert.doesNotMatch(await created(json(429, { code: 'too-many-requests', detail: 'x' })), mayBeDone)
  assert.doesNotMatch(await created(json(403, { code: 'forbidden', detail: 'x' })), mayBeDone)
})

test('a change with a lost response is sent once more with the same Idempotency-Key', async () => {
  const sent: unknown[] = []
  const serveOnce = (second: RequestListener): Promise<string> =>
    serve((request, response) => {
      sent.push(request.headers['idempotency-key'])
      if (sent.length === 1) response.destroy()
      else second(request, response)
    })
  const create = async (second: RequestListener): Promise<unknown> => {
    sent.length = 0
    const client = new AdminClient(new HttpTransport({ url: await serveOnce(second), key, profile: null }))
    const result = await client
      .call('createAccount', { body: { name: 'Shop' } })
      .catch((caught: unknown) => (caught as Error).message)
    assert.equal(sent.length, 2)
    assert.match(String(sent[0]), /^[0-9a-f-]{36}$/)
    assert.equal(sent[1], sent[0])
    return result
  }
  const data = { clientId: 'shop', password: 'x' }
  assert.deepEqual(await create(json(200, { code: 'success', result: '', data })), data)
  const repeated = {
    code: 'repeated',
    detail: 'the request was done before, see row 7 of the audit log',
    done: true,
  }
  assert.match(
    String(await create(json(409, repeated))),
    /the response was lost .* done before, see row 7 .* again/,
  )
  const refused = json(409, { code: 'refused', detail: 'the client id is taken' })
  assert.match(String(await create(refused)), /connection .* was lost .*the change may have been done/)
})

test('a change is sent once more when an unavailable admin API allows it', async () => {
  const sent: { readonly key: unknown; readonly at: number }[] = []
  const answers: RequestListener[] = []
  const url = await serve((request, response) => {
    sent.push({ key: request.headers['idempotency-key'], at: performance.now() })
    answers.shift()!(request, response)
  })
  const client = new AdminClient(new HttpTransport({ url, key, profile: null }))
  const create = () => client.call('createAccount', { body: { name: 'Shop' } })
  const unavailable = (after: object): RequestListener =>
    json(503, { code: 'unavailable', detail: 'PostgreSQL is unavailable', ...after })
  const data = { clientId: 'shop', password: 'x' }
  answers.push(unavailable({ retryAfterSeconds: 1 }), json(200, { code: 'success', result: '', data }))
  assert.deepEqual(await create(), data)
  assert.equal(sent[1]!.key, sent[0]!.key)
  assert.ok(sent[1]!.at - sent[0]!.at >= 990)

  for (const done of [true, false]) {
    const repeated = { code: 'repeated', detail: 'in other words', done }
    answers.push(unavailable({}), json(409, repeated))
    await assert.rejects(create(), (error) => hasCode(error, 'repeated') && error.done === done)
  }
  answers.push(unavailable({}), unavailable({}))
  await assert.rejects(create(), /PostgreSQL is unavailable; the change may have been done/)
  assert.equal(sent.length, 8)
})

test('a change without a response in time is sent once more', async () => {
  const sent: unknown[] = []
  const data = { clientId: 'shop', password: 'x' }
  const url = await serve((request, response) => {
    sent.push(request.headers['idempotency-key'])
    if (sent.length === 2) json(200, { code: 'success', result: '', data })(request, response)
  })
  const client = new AdminClient(
    new HttpTransport({ url, key, profile: null }, { timeoutMs: 300, maxBytes: 1_000 }),
  )
  assert.deepEqual(await client.call('createAccount', { body: { name: 'Shop' } }), data)
  assert.equal(sent[1], sent[0])
  await assert.rejects(
    client.call('createAccount', { body: { name: 'Shop' } }),
    /did not respond within 0.3 s; the change may have been done/,
  )
  assert.equal(sent.length, 4)
})

test('a query has no Idempotency-Key and is not repeated', async () => {
  const sent: unknown[] = []
  const url = await serve((request, response) => {
    sent.push(request.headers['idempotency-key'])
    response.destroy()
  })
  assert.match(await failure(url), /is unreachable/)
  assert.deepEqual(sent, [undefined])
})

test('a failure of several requests names the finished ones', async () => {
  let asked = 0
  const url = await serve((request, response) => {
    const answer = {
      code: 'success',
      result: '',
      data: { jobs: [{ id: 1, stage: 'intake', result: 'retried' }], stoppedAt: null, more: false },
    }
    asked += 1
    const refused = json(503, { code: 'unavailable', detail: 'busy' })
    ;(asked === 1 ? json(200, answer) : refused)(request, response)
  })
  const client = new AdminClient(new HttpTransport({ url, key, profile: null }), 'a test')
  const ids = Array.from({ length: 201 }, (_, n) => n + 1)
  await assert.rejects(
    retryParkedJobs(client, ids, {}),
    /^FailedError: 1 jobs were retried, then failed: .*busy/,
  )
})

test('an id that would change the path of the request is refused', async () => {
  const url = await serve(json(200, { code: 'success', result: '', data: {} }))
  const client = new AdminClient(new HttpTransport({ url, key, profile: null }))
  for (const clientId of ['', '.', '..'])
    await assert.rejects(client.call('listCredentials', { params: { clientId } }), /is not allowed as an id/)
})

test('a server that is not an admin API is named as such', async () => {
  const page = await serve((_request, response) => void response.writeHead(502).end('<html>'))
  assert.match(
    await failure(page),
    /returned HTTP 502, but not from an admin API; check that the profile 'p'/,
  )
  assert.match(await failure(page, null), /POSTERN_ADMIN_URL is the address/)
  const empty = await serve(json(200, { ok: true }))
  assert.match(await failure(empty), /returned HTTP 200, but not from an admin API/)
})

test('the key does not follow a redirect', async () => {
  let asked = 0
  const elsewhere = await serve((_request, response) => {
    asked += 1
    response.end()
  })
  const url = await serve((_request, response) => void response.writeHead(307, { location: elsewhere }).end())
  assert.match(await failure(url), /redirects are not followed/)
  assert.equal(asked, 0)
})

test('a response is limited in time and size', async () => {
  assert.match(
    await failure(await serve(() => undefined), 'p', 300),
    /did not respond within 0.3 s; retry later/,
  )
  const slow = await serve((_request, response) => void response.writeHead(200).write('{'))
  assert.match(await failure(slow, 'p', 300), /did not respond within 0.3 s/)
  const large = await serve(json(200, { code: 'success', result: 'x'.repeat(2_000) }))
  assert.match(await failure(large), /the response exceeds 1000 bytes/)
})

test('an unreachable server is named with the next step', async () => {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  assert.match(
    await failure(`http://127.0.0.1:${port}`),
    /is unreachable \(ECONNREFUSED\); check that an admin API is running/,
  )
})

test('an untrusted certificate is refused regardless of the environment', async () => {
  const url = await serve(json(200, { code: 'success', result: '', data: {} }), selfSigned('127.0.0.1'))
  assert.match(
    await failure(url),
    /cannot be verified \(DEPTH_ZERO_SELF_SIGNED_CERT\); .*NODE_EXTRA_CA_CERTS/,
  )
  process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0'
  try {
    assert.match(await failure(url), /NODE_TLS_REJECT_UNAUTHORIZED is 0/)
  } finally {
    delete process.env.NODE_TLS_REJECT_UNAUTHORIZED
  }
})

test('a text that is not a key is neither sent nor quoted', () => {
  const target = { url: 'http://127.0.0.1:1', key: 'secret\nvalue', profile: null }
  assert.throws(
    () => new AdminClient(new HttpTransport(target)),
    (error: Error) => {
      assert.match(error.message, /is not an operator key/)
      return !error.message.includes('secret')
    },
  )
})

test('an endless list is aborted', async () => {
  const client = new AdminClient(new HttpTransport({ url: 'http://127.0.0.1:1', key, profile: null }))
  const repeated = client.readAll(() => Promise.resolve({ items: [1], next: 'same' }))
  await assert.rejects(repeated, /has too many pages/)
  const found = await client.readAll(({ cursor }) =>
    Promise.resolve({ items: [1, 2], next: cursor === undefined ? 'b' : null }),
  )
  assert.deepEqual(found, [1, 2, 1, 2])
  assert.deepEqual(await client.readAll(() => Promise.resolve({ items: [1, 2], next: 'b' }), 1), [1])
})

test('an address requires https or loopback, and no path', () => {
  for (const good of [
    'https://a.example',
    'https://a.example:8090/',
    'http://127.0.0.1:8090',
    'http://[::1]:1',
  ])
    assert.equal(readAddress(good, '--url'), good.replace(/\/$/, ''))
  for (const bad of [
    'http://a.example',
    'https://a.example/x',
    'https://me:pw@a.example',
    'a.example',
    'ftp://a',
  ])
    assert.throws(() => readAddress(bad, '--url'), /^UsageError: --url must /)
})
