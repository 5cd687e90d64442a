/**
 * Makes the request of a message from the `auth` and `send` of a profile. Templates are compiled and checked once; an
 * error names the place in the options. Pure.
 */
import { createHash } from 'node:crypto'
import type { Submission } from '../connector.ts'
import { isReference } from '../../platform/secret-reference.ts'
import { userAgent } from '../http-client.ts'
import { requireFreeHeader } from './header-names.ts'
import type { HttpOptions } from './options.ts'
import type { Auth, Send } from './profile.ts'
import { compileText, compileTree, namesIn, type Scope, type TextTemplate, type Values } from './template.ts'

export interface HttpRequest {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
}

/** Names of the message; an account's values cannot have them. */
const messageNames = [
  ...(['to', 'from', 'text', 'reference', 'ttl', 'validUntil', 'callback'] as const),
  ...(['originCid', 'advertisement'] as const),
] as const

export type RequestBuilder = (submission: Submission, text: string, now: number) => HttpRequest

/** What does not change from message to message. */
export interface Account {
  /** Values and secrets by their names. */
  readonly given: Values
  /** Which of the names are secrets. */
  readonly secretNames: ReadonlySet<string>
  /** The address of callbacks; empty when there is none. */
  readonly callback: string
  readonly countryCode: string
}

export function compileRequest(account: Account, auth: Auth | undefined, send: Send): RequestBuilder {
  const { given, callback } = account
  const { countryCode } = account
  const accountScope: Scope = { names: new Set(given.keys()), countryCode, isHidden: true }
  const headerScope: Scope = { names: new Set([...given.keys(), 'reference']), countryCode }
  const scope: Scope = { names: new Set([...messageNames, ...given.keys()]), countryCode }
  const url = compileUrl(send.url, account, accountScope)
  for (const name of Object.keys(send.headers)) requireFreeHeader(name, `send.headers.${name}`)
  const headers = Object.entries(send.headers).map(
    ([name, value]) =>
      [name.toLowerCase(), headerText(value, `send.headers.${name}`, given, headerScope)] as const,
  )
  const authorization = compileAuth(auth, given, accountScope)
  const fields = compileTree(send.fields, 'send.fields', scope)
  if (send.encoding !== 'json') checkFlat(send.fields)
  if (send.encoding !== 'query' && send.method === 'GET')
    throw new Error('send.method GET has no body: send.encoding must be query')
  return (submission, text, now) => {
    const values: Values = new Map([
      ...given,
      ['to', submission.to],
      ['from', submission.from],
      ['text', text],
      ['reference', submission.reference],
      ['ttl', String(Math.max(1, Math.floor((submission.validUntil.getTime() - now) / 1_000)))],
      ['validUntil', submission.validUntil.toISOString()],
      ['callback', callback],
      ['originCid', submission.originCid ?? ''],
      ['advertisement', String(submission.isAdvertisement)],
    ])
    const tree = fields(values) as Readonly<Record<string, unknown>>
    const all = Object.fromEntries(headers.map(([name, value]) => [name, value(values)]))
    const common = { 'user-agent': userAgent, accept: '*/*', ...all, ...authorization }
    return { method: send.method, ...encode(send.encoding, url, common, tree) }
  }
}

/** `optional`: names that a profile knows and an account may leave out. */
export function readAccount(options: HttpOptions, optional: readonly string[]): Account {
  const given = new Map(optional.map((name) => [name, '']))
  const { values, secrets, callbackUrl, countryCode } = options
  for (const [kind, entries] of Object.entries({ values, secrets }))
    for (const [name, value] of Object.entries(entries)) {
      if ((messageNames as readonly string[]).includes(name))
        throw new Error(`${kind}.${name} must have another name: {${name}} is of the message`)
      if ((given.get(name) ?? '') !== '') throw new Error(`secrets.${name} is in values, too; choose one`)
      given.set(name, value)
    }
  const scope: Scope = { names: new Set(given.keys()), countryCode, isHidden: true }
  const callback = callbackUrl === undefined ? '' : compileText(callbackUrl, 'callbackUrl', scope)(given)
  return { given, secretNames: new Set(Object.keys(secrets)), callback, countryCode }
}

function encode(
  encoding: Send['encoding'],
  url: URL,
  headers: Readonly<Record<string, string>>,
  tree: Readonly<Record<string, unknown>>,
): Omit<HttpRequest, 'method'> {
  if (encoding === 'json')
    return {
      url: url.href,
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify(tree),
    }
  const flat = new URLSearchParams(
    Object.entries(tree).map(([name, value]): [string, string] => [name, String(value)]),
  )
  if (encoding === 'form')
    return {
      url: url.href,
      headers: { ...headers, 'content-type': 'application/x-www-form-urlencoded' },
      body: flat.toString(),
    }
  const address = new URL(url)
  for (const [name, value] of flat) address.searchParams.append(name, value)
  return { url: address.href, headers, body: null }
}

/** The scheme and the host of an address. */
export function originOf(template: string, { given, countryCode }: Account): string {
  const [origin] = splitUrl(template)
  return compileText(origin, 'send.url', { names: new Set(given.keys()), countryCode, isHidden: true })(given)
}

function splitUrl(template: string): [origin: string, rest: string] {
  const [, origin = '', rest = ''] = /^(https?:\/\/[^/?#]*)(.*)$/s.exec(template) ?? []
  if (origin === '') throw new Error('send.url must begin with http:// or https://')
  return [origin, rest]
}

/** Values in an address are percent-encoded, except for a host and port, which is a value of its own at the beginning. */
function compileUrl(template: string, { given, secretNames }: Account, scope: Scope): URL {
  const path = 'send.url'
  const [origin, rest] = splitUrl(template)
  // Name servers would see it, and nobody else where the route goes.
  const secret = namesIn(origin, path, scope).find((name) => secretNames.has(name))
  if (secret !== undefined)
    throw new Error(`${path} must not have {${secret}} in its host: it is a secret. Put it into values`)
  const host = compileText(origin, path, scope)(given)
  if (!/^https?:\/\/[A-Za-z0-9.:[\]-]+$/.test(host) || !URL.canParse(host))
    throw new Error(`${path} must have a host name; check the values that it uses`)
  const encoded = new Map([...given].map(([name, value]) => [name, encodeURIComponent(value)]))
  const href = host + compileText(rest, path, scope)(encoded)
  if (!URL.canParse(href)) throw new Error(`${path} is not an address`)
  return new URL(href)
}

function compileAuth(auth: Auth | undefined, given: Values, scope: Scope): Readonly<Record<string, string>> {
  if (auth === undefined) return {}
  if ((auth.basic === undefined) === (auth.header === undefined))
    throw new Error('auth must have basic or header, one of them')
  if (auth.basic !== undefined) {
    const user = compileText(auth.basic.user, 'auth.basic.user', scope)(given)
    const password = compileText(auth.basic.password, 'auth.basic.password', scope)(given)
    if (user.includes(':')) throw new Error('auth.basic.user must not have a colon')
    return { authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}` }
  }
  const { name, value } = auth.header!
  requireFreeHeader(name, 'auth.header.name')
  return { [name.toLowerCase()]: headerText(value, 'auth.header.value', given, scope)(given) }
}

/** A line break in a header would begin another one. The reference has none. */
function headerText(template: string, path: string, given: Values, scope: Scope): TextTemplate {
  const text = compileText(template, path, scope)
  if (!/^[\x20-\x7e]*$/.test(text(given)))
    throw new Error(`${path} must have printable ASCII characters only; check the values that it uses`)
  return text
}

function checkFlat(fields: Send['fields']): void {
  for (const [name, value] of Object.entries(fields)) {
    const isChoice =
      isObject(value) &&
      Object.entries(value).every(([key, inner]) => key.startsWith('$') && !isObject(inner))
    if (isObject(value) && !isChoice)
      throw new Error(`send.fields.${name} must be a text or a choice: only JSON has objects and lists`)
  }
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

/**
 * The address, and the values of the account in it and in the user: the name of the login. Where no value names the
 * account, its key does, by a digest: the carrier's other customers have the same address.
 */
export function loginValues({ values, secrets }: HttpOptions, auth: Auth | undefined, send: Send): string[] {
  const names = new Set([...Object.keys(values), ...Object.keys(secrets)])
  const used = [send.url, auth?.basic?.user ?? '']
    .flatMap((text) => namesIn(text, 'send.url', { names, countryCode: '' }))
    .flatMap((name) => values[name] ?? [])
  if (used.length > 0) return [send.url, ...used]
  const { headers, fields } = send
  const templates = JSON.stringify({ auth, headers, fields })
  const account = Object.entries({ ...values, ...secrets }).filter(([name]) => templates.includes(`{${name}`))
  const texts = [templates, ...account.map(([, value]) => value)]
  // A process that cannot read the key does not know the login.
  const unread = texts.find(
    (text) => isReference(text) || /"(?:env:[A-Z][A-Z0-9_]*|file:\/[^"]+)"/.test(text),
  )
  if (unread !== undefined) throw new Error('a secret cannot be read')
  return [send.url, createHash('sha256').update(JSON.stringify(texts)).digest('base64url')]
}
