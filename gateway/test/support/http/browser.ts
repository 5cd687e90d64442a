/**
 * A browser that uses the admin API: it keeps cookies and sends the source of its requests. Operators with a
 * password and a second factor sign in with it.
 */
import assert from 'node:assert/strict'
import type { FastifyInstance } from 'fastify'
import { hashPassword } from '../../../src/identity/accounts/password.ts'
import { resetTotp, setPassword } from '../../../src/identity/operators/login-queries.ts'
import { listOperators } from '../../../src/identity/operators/queries.ts'
import { computeTotp, fromBase32, toTotpStep } from '../../../src/identity/operators/totp.ts'
import { clock } from '../../../src/platform/time/clock.ts'
import type { Database } from '../../../src/platform/database/database.ts'
import type { AdminResponse } from './admin.ts'

export interface BrowserResponse extends AdminResponse {
  readonly setCookies: readonly string[]
}

export class Browser {
  readonly cookies = new Map<string, string>()
  readonly #server: FastifyInstance
  readonly #address: string

  constructor(server: FastifyInstance, address = '127.0.0.1') {
    this.#server = server
    this.#address = address
  }

  /** Sends a request; `headers` replace those of a page of the same origin. */
  async call(
    method: string,
    url: string,
    body?: object,
    headers: Readonly<Record<string, string>> = { 'sec-fetch-site': 'same-origin' },
  ): Promise<BrowserResponse> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await this.#server.inject({
      method: method as 'GET',
      url,
      remoteAddress: this.#address,
      headers: { ...(cookie === '' ? {} : { cookie }), ...headers },
      ...(body === undefined ? {} : { payload: body }),
    })
    const setCookie = response.headers['set-cookie'] ?? []
    const setCookies = Array.isArray(setCookie) ? setCookie : [setCookie]
    for (const text of setCookies) this.keep(text)
    const isJson = /^application\/(problem\+)?json/.test(String(response.headers['content-type']))
    return {
      status: response.statusCode,
      headers: response.headers,
      setCookies,
      body: isJson ? response.json() : { code: '', detail: response.body },
    }
  }

  keep(setCookie: string): void {
    const [pair = ''] = setCookie.split(';')
    const [name = '', value = ''] = pair.split('=')
    if (setCookie.includes('Max-Age=0')) this.cookies.delete(name)
    else this.cookies.set(name, value)
  }

  signIn(given: object): Promise<BrowserResponse> {
    return this.call('POST', '/admin/v1/session', given)
  }
}

export interface EnrolledOperator {
  readonly name: string
  readonly password: string
  /** Secret of the second factor, in base32. */
  readonly secret: string
  /** The code that was used to enrol. */
  readonly code: string
  readonly recoveryCodes: readonly string[]
  readonly browser: Browser
}

export const firstPassword = 'first password of a test'

/** Sets the first password, as an admin does. */
export async function setFirstPassword(database: Database, name: string): Promise<void> {
  const { id: operatorId } = (await listOperators(database)).find((operator) => operator.name === name)!
  await setPassword(database, null, { operatorId, hash: await hashPassword(firstPassword), initial: true })
}

/** Resets the second factor, as an admin does for an operator without the app. */
export async function resetSecondFactor(database: Database, name: string): Promise<void> {
  const { id } = (await listOperators(database)).find((operator) => operator.name === name)!
  await resetTotp(database, null, id)
}

export interface StartedData {
  readonly step: string
  readonly enrolment: { readonly secret: string; readonly uri: string; readonly newPassword: boolean } | null
  readonly recoveryCodes: readonly string[] | null
}

/** Signs in for the first time; the browser has a session afterwards. */
export async function enrol(
  database: Database,
  server: FastifyInstance,
  name: string,
  address?: string,
): Promise<EnrolledOperator> {
  await setFirstPassword(database, name)
  await resetSecondFactor(database, name)
  const browser = new Browser(server, address)
  const offered = await browser.signIn({ name, password: firstPassword })
  const { secret } = (offered.body.data as unknown as StartedData).enrolment!
  const password = `own password of one in ${name.length} letters`
  const code = currentCode(secret)
  const done = await browser.signIn({ name, password: firstPassword, newPassword: password, code })
  assert.equal(done.status, 200, JSON.stringify(done.body))
  const { recoveryCodes } = done.body.data as unknown as StartedData
  return { name, password, secret, code, recoveryCodes: recoveryCodes!, browser }
}

export function currentCode(secret: string, stepsLater = 0): string {
  return computeTotp(fromBase32(secret), toTotpStep(clock.now()) + stepsLater)
}

/** Makes the last code appear old: a code counts once, and tests do not wait for the next. */
export async function resetUsedCodes(database: Database): Promise<void> {
  await database.query('update operator_logins set totp_step = 0')
}
