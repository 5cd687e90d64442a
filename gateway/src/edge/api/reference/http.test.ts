import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { fastify } from 'fastify'
import { createClientDocument } from './client-document.ts'
import { createDocument } from './document.ts'
import { referenceRoutes } from './http.ts'
import { operationsFor } from './operations.ts'
import { html, prose } from './page/html.ts'

const server = fastify()
server.register(referenceRoutes())
after(() => server.close())
const page = (await server.inject('/docs')).body

test('serves the generated document', async () => {
  const answer = await server.inject('/openapi.json')
  assert.match(String(answer.headers['content-type']), /^application\/json/)
  assert.deepEqual(answer.json(), JSON.parse(JSON.stringify(createDocument())))
})

test('serves the document for clients', async () => {
  const answer = await server.inject('/openapi.client.json')
  assert.match(String(answer.headers['content-type']), /^application\/json/)
  assert.deepEqual(answer.json(), createClientDocument())
})

test('the start page links to the reference and the document, and both exist', async () => {
  const browser = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' }
  const answer = await server.inject({ url: '/', headers: browser })
  assert.match(String(answer.headers['content-type']), /^text\/html/)
  assert.match(String(answer.headers['content-security-policy']), /default-src 'none'/)
  const links = [...answer.body.matchAll(/href="(\/[^"#]*)/g)].map(([, address]) => address!)
  assert.ok(links.includes('/docs') && links.includes('/openapi.json'), links.join(' '))
  for (const address of links) assert.equal((await server.inject(address)).statusCode, 200, address)
})

test('the start page is the JSON envelope unless HTML is requested', async () => {
  for (const headers of [{}, { accept: '*/*' }, { accept: 'application/json' }]) {
    const answer = await server.inject({ url: '/', headers })
    assert.match(String(answer.headers['content-type']), /^application\/json/)
    assert.equal(answer.headers.vary, 'accept')
    const { code, result, data } = answer.json<{ code: string; result: string; data: object }>()
    assert.deepEqual([code, result], ['A000', 'Success'])
    assert.deepEqual(data, {
      name: 'Postern API',
      version: 'v1',
      reference: '/docs',
      openapi: '/openapi.json',
      openapiForClients: '/openapi.client.json',
    })
  }
})

test('the content security policy allows no script and no other server', async () => {
  const { headers } = await server.inject('/docs')
  assert.match(String(headers['content-security-policy']), /default-src 'none'; style-src 'self'/)
  assert.equal(headers['x-content-type-options'], 'nosniff')
})

test('the page loads nothing from other servers and runs no script', () => {
  assert.doesNotMatch(page, /<script|<iframe|<img| on\w+=| style=/)
  for (const [, address] of page.matchAll(/(?:href|src)="([^"]*)"/g)) {
    assert.match(address!, /^(?:#|\/docs\/|\/openapi\.json$|data:,$)/)
  }
})

test('everything that the page loads exists', async () => {
  for (const [, address] of page.matchAll(/href="(\/[^"]*)"/g)) {
    assert.equal((await server.inject(address!)).statusCode, 200, address)
  }
})

test('every link within the page has a target, and every id is unique', () => {
  const ids = [...page.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id!)
  assert.equal(new Set(ids).size, ids.length)
  for (const [, target] of page.matchAll(/href="#([^"]*)"/g)) assert.ok(ids.includes(target!), target)
})

test('the page shows every operation, with a command for each example', () => {
  const operations = operationsFor('SVC')
  for (const { id } of operations) assert.ok(page.includes(`id="${id}"`), id)
  const examples = operations.flatMap((operation) => operation.examples)
  assert.equal(page.split('curl -s ').length - 1, examples.length)
})

test('escapes every text', () => {
  assert.equal(html`<p title="${'"'}">${'<b> & '}</p>`.text, '<p title="&quot;">&lt;b&gt; &amp; </p>')
  assert.match(prose('a `<i>` b').text, /<code>&lt;i&gt;<\/code>/)
})
