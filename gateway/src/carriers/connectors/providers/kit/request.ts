/** Builds requests to providers. Encodes all values, so that client text cannot change the structure of a request. */
import { hash } from 'node:crypto'
import type { ConnectorFile } from '../../connector.ts'
import { writeForm } from '../../http/multipart.ts'

export interface ProviderRequest {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Buffer | null
}

type Fields = Readonly<Record<string, string | number | boolean | undefined>>

/** Omits fields that are undefined, at any depth. */
export function jsonRequest(
  url: string,
  body: unknown,
  {
    method = 'POST',
    headers = {},
  }: { readonly method?: string; readonly headers?: Readonly<Record<string, string>> } = {},
): ProviderRequest {
  return {
    method,
    url,
    headers: { ...headers, accept: 'application/json', 'content-type': 'application/json' },
    body: JSON.stringify(body),
  }
}

export function formRequest(
  url: string,
  fields: Fields,
  headers: Readonly<Record<string, string>> = {},
): ProviderRequest {
  return {
    method: 'POST',
    url,
    headers: { ...headers, 'content-type': 'application/x-www-form-urlencoded' },
    body: toParameters(fields).toString(),
  }
}

/** Builds a form: the text fields in order, then the file. */
export function fileRequest(
  url: string,
  field: string,
  file: ConnectorFile,
  texts: Readonly<Record<string, string>> = {},
): ProviderRequest {
  const { contentType, body } = writeForm(field, file, hash('sha256', file.bytes), texts)
  return { method: 'POST', url, headers: { 'content-type': contentType }, body }
}

export function getRequest(
  url: string,
  query: Fields = {},
  headers: Readonly<Record<string, string>> = {},
): ProviderRequest {
  const parameters = toParameters(query).toString()
  return { method: 'GET', url: parameters === '' ? url : `${url}?${parameters}`, headers, body: null }
}

function toParameters(fields: Fields): URLSearchParams {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined)
  return new URLSearchParams(given.map(([name, value]): [string, string] => [name, String(value)]))
}

/** Joins a base URL and a path: at(url)`/accounts/${id}/messages`. Encodes every value as one segment. */
export function at(base: string): (path: TemplateStringsArray, ...values: readonly string[]) => string {
  return (path, ...values) =>
    base.replace(/\/+$/, '') +
    String.raw({ raw: path.raw }, ...values.map((value) => encodeURIComponent(value)))
}

export function basic(user: string, password: string): string {
  return `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`
}
