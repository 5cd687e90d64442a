import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { createTokenKey } from '../../../src/edge/api/tokens/token.ts'
import { createMsgKey } from '../../../src/contract/msg-key.ts'
import { createFileKey } from '../../../src/records/files/file.ts'
import { runProbe } from '../../../../tools/engines/probe.ts'
import { haproxyProgram } from '../../../../tools/engines/programs.ts'
import { addCleanup } from '../../support/cleanup.ts'
import { Haproxy, proxySettings } from '../../support/processes/haproxy.ts'
import { projectRoot } from '../../support/processes/program.ts'
import { waitFor } from '../../support/wait.ts'

interface SeenRequest {
  readonly cell: string
  readonly method: string
  readonly forwardedFor: string
}

const directory = mkdtempSync(join(tmpdir(), 'postern-routing-'))
addCleanup(() => rmSync(directory, { recursive: true, force: true }))
const servers = new Map<string, Server>()
const requests: SeenRequest[] = []
for (const cell of ['A1', 'B1']) servers.set(cell, await startServer(cell))
const getPort = (cell: string): number => (servers.get(cell)!.address() as AddressInfo).port
const createApis = (cell: string) => [{ port: getPort(cell), opsPort: getPort(cell) }]
const proxy = await Haproxy.start({ cells: { A1: createApis('A1'), B1: createApis('B1') }, directory })
addCleanup(() => proxy.stop())

async function startServer(cell: string): Promise<Server> {
  const server = createServer((request, response) => {
    if (request.url === '/readyz') {
      response.end('ready')
      return
    }
    const forwardedFor = String(request.headers['x-forwarded-for'])
    requests.push({ cell, method: request.method ?? '', forwardedFor })
    if (request.headers['x-break'] === 'yes') request.socket.destroy()
    else response.setHeader('content-type', 'application/json').end(JSON.stringify({ cell, forwardedFor }))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  addCleanup(() => {
    server.closeAllConnections()
    server.close()
  })
  return server
}

async function findCell(path: string, init: RequestInit = {}): Promise<string> {
  const response = await fetch(proxy.url + path, init)
  return ((await response.json()) as SeenRequest).cell
}

const now = new Date()
const createToken = (cell: string): string =>
  createTokenKey('x'.repeat(32), cell).issue(7, 1, now, { credentialId: 5 }).token
/** Token of the previous version, with other bytes in place of the cell. */
const tokenWithoutCell = Buffer.alloc(55, 7).toString('base64url')
const bearer = (token: string, scheme = 'Bearer') => ({ headers: { authorization: `${scheme} ${token}` } })

test('the example configuration is valid', async () => {
  const { ok, output } = await runProbe({
    command: haproxyProgram,
    args: ['-c', '-f', proxySettings, '-f', join(projectRoot, 'deploy/cells/cells.cfg')],
    env: {
      POSTERN_PROXY_BIND: ':8080',
      POSTERN_PROXY_SOCKET: join(directory, 'example.sock'),
      POSTERN_PROXY_MAP: join(projectRoot, 'deploy/cells/clients.map'),
      POSTERN_PROXY_DEFAULT_CELL: 'A1',
    },
  })
  assert.ok(ok, output)
  assert.doesNotMatch(output, /WARNING/)
})

test('the token decides for any spelling of its scheme and any msgKey', async () => {
  for (const cell of ['A1', 'B1']) {
    for (const scheme of ['Bearer', 'bearer', 'BEARER'])
      assert.equal(await findCell('/v1/report/polling', bearer(createToken(cell), scheme)), cell)
    for (const other of ['A1', 'B1'])
      assert.equal(
        await findCell(`/v1/report/inquiry/${createMsgKey(other, now)}`, bearer(createToken(cell))),
        cell,
      )
    assert.equal(
      await findCell('/v1/send/sms', { method: 'POST', body: '{}', ...bearer(createToken(cell)) }),
      cell,
    )
  }
})

test('the msgKey decides for inquiry, timeline and cancel if the token has no cell', async () => {
  for (const cell of ['A1', 'B1']) {
    const key = createMsgKey(cell, now)
    assert.equal(await findCell(`/v1/report/inquiry/${key}`, bearer(tokenWithoutCell)), cell)
    assert.equal(await findCell(`/v1/message/${key}`, bearer(tokenWithoutCell)), cell)
    assert.equal(await findCell(`/v1/send/${key}`, { method: 'DELETE', ...bearer(tokenWithoutCell) }), cell)
  }
  assert.equal(await findCell('/v1/report/polling', bearer(tokenWithoutCell)), 'A1')
})

test('an image is fetched from its cell with any token or none', async () => {
  for (const cell of ['A1', 'B1'])
    for (const init of [{}, bearer(createToken('A1')), bearer(createToken('B1'))])
      assert.equal(await findCell(`/v1/file/content/${createFileKey(now, cell)}?x=1`, init), cell)
})

test('a token request follows the map, including changes at run time', async () => {
  const requestToken = (clientId: string, headers: Record<string, string> = {}): Promise<string> =>
    findCell('/v1/auth/token', { method: 'POST', headers: { 'x-svc-client-id': clientId, ...headers } })
  assert.equal(await requestToken('shop-1'), 'A1')
  await proxy.command(`add map ${proxy.mapFile} shop-1 B1`)
  assert.equal(await requestToken('shop-1'), 'B1')
  // The token of another account is ignored.
  assert.equal(await requestToken('shop-1', bearer(createToken('A1')).headers), 'B1')
  assert.equal(await requestToken('shop-2', bearer(createToken('B1')).headers), 'A1')
  assert.equal(await requestToken('shop-2'), 'A1')
  await proxy.command(`set map ${proxy.mapFile} shop-1 A1`)
  assert.equal(await requestToken('shop-1'), 'A1')
})

test('a request without a known cell goes to the default cell', async () => {
  assert.equal(await findCell('/docs'), 'A1')
  assert.equal(await findCell('/v1/report/polling', bearer(createToken('ZZ'))), 'A1')
  assert.equal(await findCell('/v1/report/polling', bearer('x'.repeat(20) + 'cell')), 'A1')
  assert.equal(await findCell(`/v1/report/inquiry/${createMsgKey('ZZ', now)}`), 'A1')
})

test('the API receives the address seen by the proxy, not the one from the client', async () => {
  const response = await fetch(`${proxy.url}/docs`, { headers: { 'x-forwarded-for': '192.0.2.1' } })
  assert.equal(((await response.json()) as SeenRequest).forwardedFor, '127.0.0.1')
})

test('the log has the route of a callback without its secret or query', async () => {
  for (const path of ['/inbound/kakao/secret-in-path?token=x', '/docs?secret-in-query'])
    await fetch(proxy.url + path)
  const log = await waitFor('both lines', () => {
    const text = readFileSync(join(directory, 'haproxy.log'), 'utf8')
    return text.includes(' GET /inbound/kakao HTTP/1.1') && text.includes(' GET /docs HTTP/1.1') && text
  })
  assert.doesNotMatch(log, /secret-in|token=x/)
})

test('a request is not retried after its connection breaks', async () => {
  for (const method of ['POST', 'GET']) {
    requests.length = 0
    const init = { method, headers: { authorization: `Bearer ${createToken('B1')}`, 'x-break': 'yes' } }
    // 502, or a closed connection if it had already served another request.
    const status = await fetch(`${proxy.url}/v1/send/sms`, init).then(
      (response) => response.status,
      () => 502,
    )
    assert.equal(status, 502)
    assert.deepEqual(
      requests.map((seen) => seen.method),
      [method],
    )
  }
})

test('a cell without APIs responds 503 with Retry-After; the other cell works', async () => {
  const server = servers.get('B1')!
  server.closeAllConnections()
  server.close()
  await waitFor('the cell to be taken out of rotation', async () =>
    /^cell_B1,BACKEND.*,DOWN,/m.test(await proxy.command('show stat')),
  )
  const response = await fetch(`${proxy.url}/v1/report/polling`, bearer(createToken('B1')))
  assert.equal(response.status, 503)
  assert.equal(response.headers.get('retry-after'), '2')
  assert.match(response.headers.get('content-type') ?? '', /^application\/json/)
  assert.equal(((await response.json()) as { code: string }).code, 'A920')
  assert.equal(await findCell('/v1/report/polling', bearer(createToken('A1'))), 'A1')
})
