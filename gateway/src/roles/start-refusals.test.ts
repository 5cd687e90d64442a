import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestDatabase } from '../../test/support/engines/database.ts'
import { postern } from '../../test/support/processes/postern-command.ts'
import { serviceUrl } from '../../test/support/engines/services.ts'
import { silentLog } from '../../test/support/silent-log.ts'
import { loadConfig } from '../platform/settings/config.ts'
import { startAdmin } from './admin.ts'
import { startApi } from './api.ts'
import type { Runtime } from './runtime.ts'

const { url } = await createTestDatabase()
const settings = { POSTERN_DATABASE_URL: url, POSTERN_BROKER_URLS: serviceUrl('POSTERN_BROKER_URLS') }

test('a worker needs no token secret and refuses to run as a superuser', async () => {
  await assert.rejects(
    postern({ ...settings, POSTERN_OPS_PORT: '0' }, 'worker'),
    (error: { code: unknown; stderr: string }) =>
      error.code === 2 &&
      /a user of postern_worker.* POSTERN_PRIVILEGED_DATABASE_USER=warn/.test(error.stderr),
  )
})

const proxied = {
  ...settings,
  POSTERN_TOKEN_SECRET: 'x'.repeat(32),
  POSTERN_HTTP_PLAINTEXT: 'proxy',
  POSTERN_ADMIN_PORT: '0',
}

for (const [name, start, others, message] of [
  [
    'API',
    startApi,
    { POSTERN_ADMIN_PROXY_HOPS: '1' },
    /^POSTERN_PROXY_HOPS is 0.*POSTERN_HTTP_PLAINTEXT=warn\.$/,
  ],
  [
    'admin API',
    startAdmin,
    { POSTERN_PROXY_HOPS: '1', POSTERN_ADMIN_HOST: '0.0.0.0' },
    /^POSTERN_ADMIN_PROXY_HOPS is 0.*POSTERN_HTTP_CERT_FILE/,
  ],
  [
    'admin API on loopback with a URL',
    startAdmin,
    { POSTERN_PROXY_HOPS: '1', POSTERN_ADMIN_URL: 'https://console.example' },
    /^POSTERN_ADMIN_PROXY_HOPS is 0/,
  ],
] as const)
  test(`the ${name} refuses to leave HTTPS to a proxy without hops`, async () => {
    const config = loadConfig({ ...proxied, ...others })
    await assert.rejects(start({ config, log: silentLog } as Runtime), { name: 'ConfigError', message })
  })
