import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { createAdminDocument } from '../../gateway/src/admin/document.ts'
import { createDocument } from '../../gateway/src/edge/api/reference/document.ts'
import { adminOperations, openOperations } from '../../gateway/src/operations/operations.ts'
import { projectRoot } from '../engines/paths.ts'
import { findRequests, isEndpoint } from './endpoints.ts'

test('requests are found in prose and in curl commands, with their method', () => {
  const page = [
    'Call `GET /v1/usage?from=2026-11-01` or `POST /v1/webhook/{webhookId}/test`.',
    '```sh',
    'curl -s $POSTERN/v1/send/sms -H "Authorization: Bearer $TOKEN" \\',
    `  -d '{"to":"01000000001"}'`,
    'curl -s -X DELETE $POSTERN/v1/report/polling/<reportId>',
    'curl http://127.0.0.1:8090/admin/v1/now',
    '```',
  ].join('\n')
  assert.deepEqual(
    findRequests(page).map(({ method, path }) => `${method} ${path}`),
    [
      'GET /v1/usage',
      'POST /v1/webhook/{webhookId}/test',
      'POST /v1/send/sms',
      'DELETE /v1/report/polling/<reportId>',
      'GET /admin/v1/now',
    ],
  )
})

test('a request matches an endpoint by its method and every part of its path', () => {
  const paths = { '/v1/webhook/{webhookId}/test': { post: {} }, '/v1/usage': { get: {} } }
  const matches = (method: string, path: string): boolean => isEndpoint({ method, path }, paths)
  assert.ok(matches('POST', '/v1/webhook/<id>/test'))
  assert.ok(matches('GET', '/v1/…'))
  assert.ok(!matches('GET', '/v1/webhook/<id>/test'))
  assert.ok(!matches('POST', '/v1/webhook/<id>/tests'))
  assert.ok(!matches('GET', '/v1/usage/1'))
})

test('every request on every page has an endpoint', () => {
  const pages = globSync('{*.md,{client,console,docs,gateway}/**/*.md}', {
    cwd: projectRoot,
    exclude: ['**/node_modules/**'],
  })
  const paths = {
    ...createDocument().paths,
    ...createAdminDocument(adminOperations, openOperations).paths,
    // The admin process serves these without an operation.
    '/admin/v1/live': { get: {} },
    '/admin/v1/openapi.json': { get: {} },
  }
  const requests = pages.flatMap((page) =>
    findRequests(readFileSync(join(projectRoot, page), 'utf8')).map((request) => ({ page, ...request })),
  )
  assert.ok(requests.length > 100, `${requests.length} requests`)
  assert.deepEqual(
    requests
      .filter((request) => !isEndpoint(request, paths))
      .map(({ page, method, path }) => `${page}: ${method} ${path}`),
    [],
  )
})
