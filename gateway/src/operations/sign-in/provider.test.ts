import assert from 'node:assert/strict'
import { mock, test } from 'node:test'
import { OperationError } from '../errors.ts'
import type { ProviderSettings } from './provider-settings.ts'
import { OidcProvider } from './provider.ts'

function createSettings(issuer: string): ProviderSettings {
  return {
    issuer: new URL(issuer),
    clientId: 'postern',
    clientSecret: undefined,
    scope: 'openid',
    nameClaim: 'preferred_username',
    roleClaim: 'groups',
    roles: new Map(),
    publicUrl: 'https://console.example.com',
  }
}

function mockMetadata(issuer: string) {
  return mock.method(globalThis, 'fetch', () =>
    Promise.resolve(
      Response.json({
        issuer,
        authorization_endpoint: 'https://login.example.com/authorize',
        token_endpoint: 'https://login.example.com/token',
        jwks_uri: 'https://login.example.com/keys',
      }),
    ),
  )
}

test('a provider that accepts people of any tenant is refused', async () => {
  const fetched = mockMetadata('https://login.microsoftonline.com/{tenantid}/v2.0')
  const provider = new OidcProvider(createSettings('https://login.microsoftonline.com/common/v2.0'))
  await assert.rejects(
    provider.begin('/', '10.0.0.1'),
    (error) =>
      error instanceof OperationError &&
      error.code === 'refused' &&
      /POSTERN_ADMIN_OIDC_ISSUER to the issuer of your own tenant/.test(error.message),
  )
  fetched.mock.restore()
  const issuer = 'https://login.microsoftonline.com/8f2c1a7e-0000-4000-8000-000000000001/v2.0'
  const again = mockMetadata(issuer)
  const { url } = await new OidcProvider(createSettings(issuer)).begin('/', '10.0.0.1')
  assert.equal(url.origin, 'https://login.example.com')
  again.mock.restore()
})

test('one network has two concurrent sign-ins at the provider, which leaves slots to others', async () => {
  const failures: (() => void)[] = []
  const fetched = mock.method(
    globalThis,
    'fetch',
    () => new Promise((_resolve, reject) => failures.push(() => reject(new Error('closed')))),
  )
  const provider = new OidcProvider(createSettings('https://login.example.com'))
  const begin = (network: string): Promise<string> =>
    provider.begin('/', network).then(
      () => 'begun',
      (error: unknown) => (error as Error).message,
    )
  const first = [begin('10.0.0.1'), begin('10.0.0.1')]
  assert.match(await begin('10.0.0.1'), /too many sign-ins from your network are in progress/)
  const others = begin('10.0.0.2')
  assert.equal(
    await Promise.race([others, new Promise((resolve) => setTimeout(resolve, 20, 'waits'))]),
    'waits',
  )
  for (const fail of failures) fail()
  for (const message of await Promise.all([...first, others])) assert.match(message, /is unavailable/)
  const later = begin('10.0.0.1')
  await new Promise((resolve) => setImmediate(resolve))
  failures.at(-1)!()
  assert.match(await later, /is unavailable/)
  fetched.mock.restore()
})
