// Signs the operator of `npm run dev` in to the console: the printed link sets the session cookie. The
// listener is on loopback and its path cannot be guessed. Cookies ignore ports, so the console gets the
// session.

import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { saveOperator, type DevelopmentOperator, type RunJson } from './operator.ts'
import { computeCode, computeStep } from './totp.ts'

export interface SignInLink {
  readonly url: string
  close(): void
}

interface SignInResponse {
  readonly step?: 'done' | 'enrol' | 'new-password'
  readonly enrolment?: { readonly secret: string } | null
}

export interface ConsoleSignIn {
  /** URL of the admin API. */
  readonly base: string
  readonly operator: DevelopmentOperator
  readonly operatorFile: string
  readonly run: RunJson
}

/** Starts a session for each visit, so that the link works in several browsers. */
export async function openSignInLink(
  { base, operator, operatorFile, run }: ConsoleSignIn,
  port: number,
): Promise<SignInLink> {
  const path = `/${randomBytes(16).toString('base64url')}`
  let current = operator
  let last: Promise<unknown> = Promise.resolve()
  const server: Server = createServer((request, response) => {
    if (request.method !== 'GET' || request.url !== path) return void response.writeHead(404).end()
    // Sign-ins run one after the other, because each code is valid once.
    last = last.then(async () => {
      try {
        const { cookie, updated } = await signIn(base, current, run)
        current = updated
        saveOperator(operatorFile, updated)
        // The console reads from the fragment that it has a session.
        response.writeHead(302, { location: `${base}/sandbox#session`, 'set-cookie': cookie }).end()
      } catch (error) {
        response.writeHead(500, { 'content-type': 'text/plain' }).end(`${(error as Error).message}\n`)
      }
    })
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const { port: chosen } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${chosen}${path}`, close: () => server.close() }
}

interface SignedIn {
  readonly cookie: string
  /** The operator with the last used code. */
  readonly updated: DevelopmentOperator
}

async function signIn(base: string, operator: DevelopmentOperator, run: RunJson): Promise<SignedIn> {
  if (operator.totpSecret !== '') {
    // Each code is valid once, and the next one is already accepted.
    const step = Math.max(computeStep(Date.now()), operator.totpStep + 1)
    const { name, password } = operator
    const { cookie } = await post(base, { name, password, code: computeCode(operator.totpSecret, step) })
    if (cookie !== null) return { cookie, updated: { ...operator, totpStep: step } }
  }
  return enrol(base, operator, run)
}

/** Enrols with a new password and a new second factor. */
async function enrol(base: string, operator: DevelopmentOperator, run: RunJson): Promise<SignedIn> {
  const { name, key } = operator
  const first = await run(['operator', 'password', name, '--generate', '--reason', 'development'], key)
  await run(['operator', 'totp', 'reset', name, '--reason', 'development'], key)
  const password = String(first['password'])
  const { response } = await post(base, { name, password })
  const secret = response.enrolment?.secret
  if (secret === undefined) throw new Error('The sign-in of the development operator failed; see gateway.log')
  const step = computeStep(Date.now())
  const newPassword = randomBytes(18).toString('base64url')
  const { cookie } = await post(base, { name, password, code: computeCode(secret, step), newPassword })
  if (cookie === null) throw new Error('The sign-in of the development operator failed; see gateway.log')
  return { cookie, updated: { ...operator, password: newPassword, totpSecret: secret, totpStep: step } }
}

async function post(
  base: string,
  body: object,
): Promise<{ response: SignInResponse; cookie: string | null }> {
  const fetched = await fetch(`${base}/admin/v1/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const { data = {} } = (await fetched.json()) as { data?: SignInResponse }
  return { response: data, cookie: data.step === 'done' ? fetched.headers.get('set-cookie') : null }
}
