/**
 * A real OpenID Connect provider on loopback (oidc-provider), and a person who signs in there by submitting
 * its forms. Every name can sign in; the test sets the claims of a person.
 */
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Provider } from 'oidc-provider'
import { addCleanup } from '../cleanup.ts'

export interface TestProvider {
  readonly issuer: string
  /** Claims by name at the provider. */
  readonly people: Map<string, Readonly<Record<string, unknown>>>
  /** Opens the URL as a browser does, signs in and consents; returns the gateway URL of the redirect. */
  visit(url: string, person: string): Promise<URL>
  /** Responds instead of the provider, to simulate failures; null restores the provider. */
  replace: RequestListener | null
  close(): Promise<void>
}

export const clientSecret = 'a secret of the tests that is long enough'

export async function createTestProvider(redirectUri: string): Promise<TestProvider> {
  let listener: RequestListener = () => undefined
  const server = createServer((request, response) => (provider.replace ?? listener)(request, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const people: TestProvider['people'] = new Map()
  listener = quietly(() =>
    new Provider(issuer, {
      clients: [
        {
          client_id: 'postern',
          client_secret: clientSecret,
          redirect_uris: [redirectUri],
          grant_types: ['authorization_code'],
          response_types: ['code'],
        },
      ],
      cookies: { keys: ['a key of the tests'] },
      ttl: {
        Interaction: 600,
        Session: 600,
        Grant: 600,
        AuthorizationCode: 60,
        AccessToken: 600,
        IdToken: 600,
      },
      claims: { openid: ['sub'], profile: ['preferred_username'], groups: ['groups'] },
      findAccount: (_context: unknown, sub: string) => ({
        accountId: sub,
        claims: () => ({ sub, ...people.get(sub) }),
      }),
    }).callback(),
  )
  const close = async (): Promise<void> => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
  addCleanup(close)
  const provider: TestProvider = {
    issuer,
    people,
    replace: null,
    close,
    visit: (url, person) => visit(issuer, url, person),
  }
  return provider
}

/** Suppresses the warning of the provider that it is not for production. */
function quietly<T>(work: () => T): T {
  const { info, warn } = console
  Object.assign(console, { info: () => undefined, warn: () => undefined })
  try {
    return work()
  } finally {
    Object.assign(console, { info, warn })
  }
}

async function visit(issuer: string, start: string, person: string): Promise<URL> {
  const cookies = new Map<string, string>()
  const open = async (url: string, body?: URLSearchParams): Promise<Response> => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(url, {
      redirect: 'manual',
      headers: { cookie },
      ...(body === undefined ? {} : { method: 'POST', body }),
    })
    for (const text of response.headers.getSetCookie()) {
      const [pair = ''] = text.split(';')
      const at = pair.indexOf('=')
      cookies.set(pair.slice(0, at), pair.slice(at + 1))
    }
    return response
  }
  let response = await open(start)
  for (let steps = 0; steps < 12; steps++) {
    const location = response.headers.get('location')
    if (location !== null) {
      const next = new URL(location, issuer)
      if (next.origin !== issuer) return next
      response = await open(next.href)
      continue
    }
    const page = await response.text()
    const action = /<form[^>]* action="([^"]+)"/.exec(page)?.[1]
    const prompt = /name="prompt" value="(\w+)"/.exec(page)?.[1]
    if (action === undefined || prompt === undefined)
      throw new Error(`the provider shows no form: ${page.slice(0, 500)}`)
    response = await open(action, new URLSearchParams({ prompt, login: person, password: 'any' }))
  }
  throw new Error('the provider does not come to an end')
}
