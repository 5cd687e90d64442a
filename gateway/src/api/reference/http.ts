/**
 * GET /docs, the reference for people, and GET /openapi.json, the same for tools. Both are made once, at start, and open
 * to everybody; the page runs no script and loads nothing from elsewhere.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyPluginCallback } from 'fastify'
import { createDocument, type DocumentOptions } from './document.ts'
import { operationsFor } from './operations.ts'
import { renderPage } from './page/page.ts'

const stylePath = '/docs/style.css'
const documentPath = '/openapi.json'

const contentSecurityPolicy = [
  "default-src 'none'",
  "style-src 'self'",
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

export function referenceRoutes({ credentialPrefix = 'SVC' }: DocumentOptions = {}): FastifyPluginCallback {
  const document = createDocument({ credentialPrefix })
  const page = renderPage(operationsFor(credentialPrefix), document, {
    document: documentPath,
    style: stylePath,
  })
  const resources = [
    { path: '/docs', type: 'text/html; charset=utf-8', content: page },
    {
      path: stylePath,
      type: 'text/css; charset=utf-8',
      content: readFileSync(join(import.meta.dirname, 'page/style.css'), 'utf8'),
    },
    { path: documentPath, type: 'application/json; charset=utf-8', content: JSON.stringify(document) },
  ]
  return (server, _options, done) => {
    for (const { path, type, content } of resources) {
      server.get(path, (_request, reply) =>
        reply
          .header('content-type', type)
          .header('cache-control', 'no-cache')
          .header('content-security-policy', contentSecurityPolicy)
          .header('x-content-type-options', 'nosniff')
          .header('referrer-policy', 'no-referrer')
          .send(content),
      )
    }
    done()
  }
}
