/** The reference page and the document as they are served. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { fastify } from 'fastify'
import { createDocument } from './document.ts'
import { referenceRoutes } from './http.ts'
import { operationsFor } from './operations.ts'
import { html, prose } from './page/html.ts'

const server = fastify()
server.register(referenceRoutes())
after(() => server.close())
const page = (await server.inject('/docs')).body

test('serves the document as it is generated', async () => {
  const answer = await server.inject('/openapi.json')
  assert.match(String(answer.headers['content-type']), /^application\/json/)
  assert.deepEqual(answer.json(), JSON.parse(JSON.stringify(createDocument())))
})

test('forbids the page every script and every address but its own', async () => {
  const { headers } = await server.inject('/docs')
  assert.match(String(headers['content-security-policy']), /default-src 'none'; style-src 'self'/)
  assert.equal(headers['x-content-type-options'], 'nosniff')
})

test('the page loads nothing from elsewhere and runs nothing', () => {
  assert.doesNotMatch(page, /<script|<iframe|<img| on\w+=| style=/)
  for (const [, address] of page.matchAll(/(?:href|src)="([^"]*)"/g)) {
    assert.match(address!, /^(?:#|\/docs\/|\/openapi\.json$|data:,$)/)
  }
})

test('what the page needs is there', async () => {
  for (const [, address] of page.matchAll(/href="(\/[^"]*)"/g)) {
    assert.equal((await server.inject(address!)).statusCode, 200, address)
  }
})

test('every link within the page has its end, and no name is given twice', () => {
  const ids = [...page.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id!)
  assert.equal(new Set(ids).size, ids.length)
  for (const [, target] of page.matchAll(/href="#([^"]*)"/g)) assert.ok(ids.includes(target!), target)
})

test('the page has every operation, with a command for each example', () => {
  const operations = operationsFor('SVC')
  for (const { id } of operations) assert.ok(page.includes(`id="${id}"`), id)
  const examples = operations.flatMap((operation) => operation.examples)
  assert.equal(page.split('curl -s ').length - 1, examples.length)
})

test('never takes a text for HTML', () => {
  assert.equal(html`<p title="${'"'}">${'<b> & '}</p>`.text, '<p title="&quot;">&lt;b&gt; &amp; </p>')
  assert.match(prose('a `<i>` b').text, /<code>&lt;i&gt;<\/code>/)
})
