import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyPluginCallback, FastifyReply } from 'fastify'
import { createClientDocument } from './client-document.ts'
import { createDocument, type DocumentOptions } from './document.ts'
import { operationsFor } from './operations.ts'
import { renderPage } from './page/page.ts'
import { renderStartPage } from './page/start-page.ts'

const addresses = {
  page: '/docs',
  style: '/docs/style.css',
  document: '/openapi.json',
  clientDocument: '/openapi.client.json',
}
const htmlType = 'text/html; charset=utf-8'
const jsonType = 'application/json; charset=utf-8'

const contentSecurityPolicy = [
  "default-src 'none'",
  "style-src 'self'",
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/**
 * Registers GET /docs, the API reference, with its style sheet; GET /openapi.json, the same for tools; GET
 * /openapi.client.json, for client generators; and GET /, which links to them. They are rendered once at startup and
 * need no token. The pages run no script and load nothing from other servers. None of these paths is part of the API
 * contract.
 */
export function referenceRoutes({ credentialPrefix = 'SVC' }: DocumentOptions = {}): FastifyPluginCallback {
  const document = createDocument({ credentialPrefix })
  const startPage = renderStartPage(document, addresses)
  const startResponse = JSON.stringify({
    code: 'A000',
    result: 'Success',
    data: {
      name: document.info.title,
      version: document.info.version,
      reference: addresses.page,
      openapi: addresses.document,
      openapiForClients: addresses.clientDocument,
    },
  })
  const resources = [
    {
      path: addresses.page,
      type: htmlType,
      content: renderPage(operationsFor(credentialPrefix), document, addresses),
    },
    {
      path: addresses.style,
      type: 'text/css; charset=utf-8',
      content: readFileSync(join(import.meta.dirname, 'page/style.css'), 'utf8'),
    },
    { path: addresses.document, type: jsonType, content: JSON.stringify(document) },
    {
      path: addresses.clientDocument,
      type: jsonType,
      content: JSON.stringify(createClientDocument({ credentialPrefix })),
    },
  ]
  return (server, _options, done) => {
    // Browsers request text/html; curl and HTTP libraries do not, so they get JSON.
    server.get('/', (request, reply) => {
      reply.header('vary', 'accept')
      return request.headers.accept?.includes('text/html') === true
        ? send(reply, htmlType, startPage)
        : send(reply, jsonType, startResponse)
    })
    for (const { path, type, content } of resources) {
      // All responses share one buffer; with a string, every connection that does not read would hold a copy.
      const bytes = Buffer.from(content)
      server.get(path, (_request, reply) => send(reply, type, bytes))
    }
    done()
  }
}

function send(reply: FastifyReply, type: string, content: string | Buffer): FastifyReply {
  return reply
    .header('content-type', type)
    .header('cache-control', 'no-cache')
    .header('content-security-policy', contentSecurityPolicy)
    .header('x-content-type-options', 'nosniff')
    .header('referrer-policy', 'no-referrer')
    .send(content)
}
