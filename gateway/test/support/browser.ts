/** A browser before the admin API: it keeps cookies as browsers do, and says where its requests come from. */
import assert from 'node:assert/strict'
import type { FastifyInstance } from 'fastify'
import { hashPassword } from '../../src/accounts/password.ts'
import { resetTotp, setPassword } from '../../src/operators/login-queries.ts'
import { listOperators } from '../../src/operators/queries.ts'
import { codeOf, fromBase32, stepAt } from '../../src/operators/totp.ts'
import { clock } from '../../src/platform/clock.ts'
import type { Database } from '../../src/platform/database.ts'
import type { AdminAnswer } from './admin.ts'

export interface BrowserAnswer extends AdminAnswer {
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

  /** `headers` replace those of a page of the same origin. */
  async call(
    method: string,
    url: string,
    body?: object,
    headers: Readonly<Record<string, string>> = { 'sec-fetch-site': 'same-origin' },
  ): Promise<BrowserAnswer> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const answer = await this.#server.inject({
      ...{ method: method as 'GET', url, remoteAddress: this.#address },
      headers: { ...(cookie === '' ? {} : { cookie }), ...headers },
      ...(body === undefined ? {} : { payload: body }),
    })
    const setCookies = [answer.headers['set-cookie'] ?? []].flat()
    for (const text of setCookies) this.keep(text)
    const isJson = /^application\/(problem\+)?json/.test(String(answer.headers['content-type']))
    return {
      ...{ status: answer.statusCode, headers: answer.headers, setCookies },
      body: isJson ? answer.json() : { code: '', detail: answer.body },
    }
  }

  keep(setCookie: string): void {
    const [pair = ''] = setCookie.split(';')
    const [name = '', value = ''] = pair.split('=')
    if (setCookie.includes('Max-Age=0')) this.cookies.delete(name)
    else this.cookies.set(name, value)
  }

  signIn(given: object): Promise<BrowserAnswer> {
    return this.call('POST', '/admin/v1/session', given)
  }
}

export interface Enrolled {
  readonly name: string
  readonly password: string
  /** Of the second factor, in base32. */
  readonly secret: string
  readonly recoveryCodes: readonly string[]
  readonly browser: Browser
}

export const firstPassword = 'first password of a test'

/** As an admin sets it. */
export async function giveFirstPassword(database: Database, name: string): Promise<void> {
  const { id: operatorId } = (await listOperators(database)).find((operator) => operator.name === name)!
  await setPassword(database, null, { operatorId, hash: await hashPassword(firstPassword), initial: true })
}

/** As an admin does for an operator whose app is lost. */
export async function resetSecondFactor(database: Database, name: string): Promise<void> {
  const { id } = (await listOperators(database)).find((operator) => operator.name === name)!
  await resetTotp(database, null, id)
}

export interface StartedData {
  readonly step: string
  readonly enrolment: { readonly secret: string; readonly uri: string; readonly newPassword: boolean } | null
  readonly recoveryCodes: readonly string[] | null
}

/** Signs in for the first time: the browser has a session then. */
export async function enrol(
  database: Database,
  server: FastifyInstance,
  name: string,
  address?: string,
): Promise<Enrolled> {
  await giveFirstPassword(database, name)
  await resetSecondFactor(database, name)
  const browser = new Browser(server, address)
  const offered = await browser.signIn({ name, password: firstPassword })
  const { secret } = (offered.body.data as unknown as StartedData).enrolment!
  const password = `own password of one in ${name.length} letters`
  const done = await browser.signIn({
    name,
    password: firstPassword,
    newPassword: password,
    code: currentCode(secret),
  })
  assert.equal(done.status, 200, JSON.stringify(done.body))
  const { recoveryCodes } = done.body.data as unknown as StartedData
  return { name, password, secret, recoveryCodes: recoveryCodes!, browser }
}

export function currentCode(secret: string, stepsLater = 0): string {
  return codeOf(fromBase32(secret), stepAt(clock.now()) + stepsLater)
}

/** As if the last code had been used long ago: a code counts once, and tests do not wait for the next. */
export async function forgetUsedCodes(database: Database): Promise<void> {
  await database.query('update operator_logins set totp_step = 0')
}
