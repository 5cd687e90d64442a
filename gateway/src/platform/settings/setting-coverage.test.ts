/** Every setting is set by a test, or listed here with the reason why not. */
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { createTestBroker } from '../../../test/support/engines/broker.ts'
import { createTestDatabase } from '../../../test/support/engines/database.ts'
import { createTestServer } from '../../../test/support/http/server.ts'
import { waitFor } from '../../../test/support/wait.ts'
import { environmentName, settingNames, type Config } from './config.ts'

const s3 = 'needs an S3 server; gateway/test/slow/s3.test.ts passes the options to the store'
const passed = (file: string): string => `passed on unchanged; ${file} tests the limit with other values`
const exceptions: Partial<Record<keyof Config, string>> = {
  httpConnections: passed('edge/api/server/connections.test.ts'),
  smppServerConnections: passed('edge/smpp/session/connections.test.ts'),
  smppServerWindow: passed('edge/smpp/session/connections.test.ts'),
  adminSessionIdleMinutes: 'passed on unchanged to the sessions of the admin API; no test waits for minutes',
  adminSessionHours: 'passed on unchanged to the sessions of the admin API; no test waits for minutes',
  adminOidcRoleClaim: 'passed on unchanged; the provider of the tests uses the default claim',
  opsHost: 'another address than loopback would be reachable from outside during tests',
  optInWords: 'passed on unchanged to the keyword reader, which is tested with its own words',
  conversionMinCodes: 'trust/abuse/conversions.test.ts tests conversions with the default',
  conversionMaxPercent: 'trust/abuse/conversions.test.ts tests conversions with the default',
  fileS3Bucket: s3,
  fileS3Endpoint: s3,
  fileS3Region: s3,
  fileS3AccessKeyId: s3,
  fileS3SecretAccessKey: s3,
  fileQuotaBytes: 'passed on unchanged to the file endpoints, which are tested with their own quota',
  imageLifetimeDays: 'passed on unchanged to the file endpoints; no test waits for days',
  webhookPorts:
    'passed on unchanged to the guard of webhook URLs, which is tested in edge/webhooks/guard.test.ts',
  webhookHttp:
    'passed on unchanged to the guard of webhook URLs, which is tested in edge/webhooks/guard.test.ts',
  webhookDisableSeconds: 'passed on unchanged to the pusher, which is tested with its own times',
}

/** The response code of a send after some messages that no worker records. */
const effects: Partial<Record<keyof Config, { readonly value: number; readonly code: string }>> = {
  reserveMessages: { value: 2, code: 'A920' },
  reserveBytes: { value: 1_000, code: 'A920' },
}

test('each setting is set by a test or has a reason', () => {
  const root = join(import.meta.dirname, '../../../..')
  const excluded = [import.meta.filename, join(import.meta.dirname, 'config.test.ts')]
  const source = globSync(
    ['{gateway,console,client,tools,bench}/**/*.test.ts', '{gateway,console}/test/**/*.ts'],
    { cwd: root, exclude: (path) => path.includes('node_modules') },
  )
    .map((path) => join(root, path))
    .filter((path) => !excluded.includes(path))
    .map((path) => readFileSync(path, 'utf8'))
    .join('\n')
  const isSet = (name: keyof Config): boolean =>
    name in effects || new RegExp(`\\b${environmentName(name)}\\b|\\b${name}(?:: |,| })`).test(source)
  assert.deepEqual(
    settingNames.filter((name) => !isSet(name)).sort(),
    Object.keys(exceptions).sort(),
    'set the setting in a test, or list it with the reason; delete the reason of a setting that a test sets',
  )
})

for (const [name, { value, code }] of Object.entries(effects)) {
  test(`${name} changes the response to a send`, async () => {
    const { database } = await createTestDatabase()
    const { broker, topology } = await createTestBroker()
    const api = await createTestServer({ database, broker, topology, [name]: value })
    const account = await api.account()
    const body = { from: '0234567890', to: '01012345678', text: 'hello' }
    const send = async (): Promise<string> =>
      (await api.call(account, 'POST', '/v1/send/sms', body)).body.code
    assert.equal(await send(), 'A000')
    await waitFor(`the response ${code}`, async () => (await send()) === code)
  })
}
