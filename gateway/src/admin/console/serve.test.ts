import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { fastify } from 'fastify'
import { ConsoleFiles } from './files.ts'
import { serveConsole } from './serve.ts'

const parent = mkdtempSync(join(tmpdir(), 'postern-console-'))
const folder = join(parent, 'dist')
const server = fastify({ exposeHeadRoutes: false })
server.get('/admin/v1/now', () => 'api')
serveConsole(server, new ConsoleFiles([folder]))
after(async () => {
  await server.close()
  rmSync(parent, { recursive: true })
})

const get = (url: string, headers: Record<string, string> = {}) =>
  server.inject({ method: 'GET', url, headers })

test('the response tells how to build a missing console', async () => {
  const { payload, statusCode } = await get('/')
  assert.equal(statusCode >= 400, true)
  assert.match(payload, /npx vite build console/)
})

test('files have a strict policy; hashed ones are cached for a year; other paths serve the index page', async () => {
  mkdirSync(join(folder, 'assets'), { recursive: true })
  writeFileSync(join(folder, 'index.html'), '<!doctype html>one')
  writeFileSync(join(folder, 'assets/main-1234.js'), 'main()')
  writeFileSync(join(parent, 'secret.js'), 'outside of the folder')

  const page = await get('/')
  assert.equal(page.payload, '<!doctype html>one')
  assert.equal(page.headers['cache-control'], 'no-cache')
  assert.match(String(page.headers['content-security-policy']), /^default-src 'none'; script-src 'self';/)
  assert.equal((await get('/routes/lgu?tab=1')).payload, '<!doctype html>one')

  const script = await get('/assets/main-1234.js', { 'accept-encoding': 'br, gzip' })
  assert.equal(script.headers['cache-control'], 'public, max-age=31536000, immutable')
  assert.equal(script.headers['content-type'], 'text/javascript; charset=utf-8')
  assert.equal(gunzipSync(script.rawPayload).toString(), 'main()')

  for (const path of ['/../secret.js', '/%2e%2e/secret.js', '/..%2fsecret.js', '/assets/..%2f..%2fsecret.js'])
    assert.doesNotMatch((await get(path)).payload, /outside of/)
  assert.equal((await get('/assets/missing.js')).statusCode, 404)
  assert.equal((await get('/admin/v1/unknown')).statusCode, 404)
  assert.equal((await get('/admin/v1/now')).payload, 'api')
})

test('a new build is served without a restart', async () => {
  writeFileSync(join(folder, 'index.html'), '<!doctype html>two')
  utimesSync(join(folder, 'index.html'), 1, 1)
  assert.equal((await get('/')).payload, '<!doctype html>two')
})
