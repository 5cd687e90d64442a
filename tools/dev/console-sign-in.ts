// Signs the operator of `npm run dev` in to the console: the printed link sets the session cookie. The
// listener is on loopback and its path cannot be guessed. Cookies ignore ports, so the console gets the
// session.

import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { saveOperator, type DevelopmentOperator, type OperatorLogin } from './operator.ts'
import { computeCode, computeStep, startOfStep } from './totp.ts'

export interface SignInLink {
  readonly url: string
  close(): void
}

export interface ConsoleSignIn {
  /** URL of the admin API. */
  readonly base: string
  readonly operator: DevelopmentOperator
  readonly operatorFile: string
}

/** Starts a session for each visit, so that the link works in several browsers. */
export async function openSignInLink(signIn: ConsoleSignIn, port: number): Promise<SignInLink> {
  const path = `/${randomBytes(16).toString('base64url')}`
  const signer = new OperatorSignIn(signIn)
  let last: Promise<unknown> = Promise.resolve()
  const server: Server = createServer((request, response) => {
    if (request.method !== 'GET' || request.url !== path) return void response.writeHead(404).end()
    // Sign-ins run one after the other, because each code is valid once.
    last = last.then(async () => {
      try {
        const cookie = await signer.startSession()
        // The console reads from the fragment that it has a session.
        response.writeHead(302, { location: `${signIn.base}/sandbox#session`, 'set-cookie': cookie }).end()
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

/** Signs in as any operator does: with a password of their own, and a second factor enrolled at the first sign-in. */
class OperatorSignIn {
  readonly #base: string
  readonly #file: string
  #operator: DevelopmentOperator

  constructor({ base, operator, operatorFile }: ConsoleSignIn) {
    this.#base = base
    this.#file = operatorFile
    this.#operator = operator
  }

  /** Returns the cookie of a new session. */
  async startSession(): Promise<string> {
    const login = this.#operator.login ?? (await this.#enrol())
    // Each code is valid once, and the next one is already accepted.
    const step = Math.max(computeStep(Date.now()), login.totpStep + 1)
    await pause(Math.max(0, startOfStep(step - 1) - Date.now()))
    // Saved first: if the response is lost, the code may have been used and the second factor enrolled.
    this.#save({ ...login, totpStep: step })
    const { headers, data } = await this.#startSession(login.password, computeCode(login.totpSecret, step))
    const cookie = headers.get('set-cookie')
    if (data?.step !== 'done' || cookie === null) throw this.#refused()
    return cookie
  }

  /** Sets a password with the operator's own key. The first code confirms the returned second factor. */
  async #enrol(): Promise<OperatorLogin> {
    const password = randomBytes(18).toString('base64url')
    const { status } = await this.#post('/admin/v1/me/password', { password })
    const { data } = await this.#startSession(password)
    const totpSecret = data?.enrolment?.secret
    if (status !== 200 || totpSecret === undefined) throw this.#refused()
    return { password, totpSecret, totpStep: 0 }
  }

  #save(login: OperatorLogin): void {
    this.#operator = { ...this.#operator, login }
    saveOperator(this.#file, this.#operator)
  }

  #startSession(password: string, code?: string): Promise<AdminResponse> {
    return this.#post('/admin/v1/session', { name: this.#operator.name, password, code })
  }

  async #post(path: string, body: object): Promise<AdminResponse> {
    const response = await fetch(`${this.#base}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${this.#operator.key}` },
      body: JSON.stringify(body),
    })
    const { data } = (await response.json()) as Pick<AdminResponse, 'data'>
    return { status: response.status, headers: response.headers, data }
  }

  #refused(): Error {
    const { name } = this.#operator
    return new Error(
      `The console refuses the sign-in of '${name}' that is stored in ${this.#file}. ` +
        `Sign in at ${this.#base}/ if you have changed it, or begin again: \`npm run engines -- wipe\`, then \`npm run dev\`.`,
    )
  }
}

interface AdminResponse {
  readonly status: number
  readonly headers: Headers
  readonly data?:
    | { readonly step?: 'done' | 'enrol'; readonly enrolment?: { readonly secret: string } | null }
    | undefined
}
