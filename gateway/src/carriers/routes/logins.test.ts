import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { testRoute } from '../../../test/support/routes.ts'
import { getRouteLogins } from './logins.ts'

test('a login whose file could not be read is read again after ten seconds', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'postern-logins-'))
  t.after(() => rm(folder, { recursive: true }))
  const file = join(folder, 'user')
  const options = { host: '127.0.0.1', port: 2775, systemId: `file:${file}`, password: 'secret' }
  const routes = ['a', 'b'].map((id) => testRoute(id, { options }))
  assert.deepEqual(getRouteLogins(routes, 0).sharing('a'), ['a'])
  await writeFile(file, 'shop')
  assert.deepEqual(getRouteLogins(routes, 9_000).sharing('a'), ['a'])
  assert.deepEqual(getRouteLogins(routes, 10_000).sharing('a'), ['a', 'b'])
})
