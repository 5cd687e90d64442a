/** Verifies the callbacks of a provider at `/inbound/<route>` and reads them with its module. */
import { parseForm } from '../../form.ts'
import { maxInboundReceipts, type Inbound, type InboundRequest, type InboundResult } from '../../kind.ts'
import { isSameSecret } from '../../secrets.ts'
import { parseJson } from './answer.ts'
import type { LinkOptions } from './options.ts'
import type { Provider, ProviderEvents } from './provider.ts'
import { createRoute, toReceipt, toReply } from './route.ts'

const jsonType = 'application/json'
const formType = 'application/x-www-form-urlencoded'

export function createCallbacks({ callback }: Provider, options: LinkOptions): Inbound {
  const route = createRoute(options)
  if (callback === undefined) return () => ({ receipts: [], answer: { status: 404 } })
  const { verify, read, contentType = jsonType, answer = { status: 200 } } = callback
  return (request) => {
    if (!isGenuine(request)) return { receipts: [], answer: { status: 401 } }
    try {
      const events = read(readBody(request), request, route)
      if (events !== null) return { ...toInboundEvents(events), answer }
    } catch {
      // An error of the module: the provider repeats the callback until the module is corrected.
    }
    return { receipts: [], answer: refuseFormat(request, contentType) }
  }

  function isGenuine(request: InboundRequest): boolean {
    try {
      if (verify === 'path') return hasCallbackToken(request, options)
      // A module without types may return a promise, which proves nothing.
      const result: unknown = verify(request, route)
      return result === true
    } catch {
      return false
    }
  }
}

/** One more than allowed is enough for the API to refuse the request. */
function toInboundEvents({ receipts = [], replies = [] }: ProviderEvents): Omit<InboundResult, 'answer'> {
  const isEmpty = receipts.length === 0 && replies.length === 0
  return {
    receipts: receipts.slice(0, maxInboundReceipts + 1).map(toReceipt),
    replies: replies.slice(0, maxInboundReceipts + 1).map(toReply),
    events: isEmpty ? ['not-a-receipt'] : replies.slice(0, maxInboundReceipts + 1).map(() => 'reply'),
  }
}

/** An error makes the provider repeat the callback, so no receipt is lost until its format is corrected. */
function refuseFormat(request: InboundRequest, expected: string) {
  if (['', expected].includes(contentTypeOf(request))) return { status: 400 }
  const body = `Unsupported content type; set the callback format to ${expected} at the provider`
  return { status: 415, body }
}

/** The JSON of the body, or the fields of a form. Of several fields with one name the first counts. */
function readBody(request: InboundRequest): unknown {
  const type = contentTypeOf(request)
  if (type === jsonType || (type === '' && /^\s*[[{]/.test(request.body.toString('latin1', 0, 64))))
    return parseJson(request.body.toString())
  if (type !== '' && type !== formType) return undefined
  const form = parseForm(request.body)
  return form === null ? undefined : fieldsOfForm(form)
}

export function fieldsOfForm(form: Iterable<[string, string]>): Readonly<Record<string, string>> {
  const fields = new Map<string, string>()
  for (const [name, value] of form) if (!fields.has(name)) fields.set(name, value)
  return Object.fromEntries(fields)
}

function contentTypeOf({ headers, body }: InboundRequest): string {
  return body.length === 0 ? '' : (headers['content-type'] ?? '').split(';')[0]!.trim().toLowerCase()
}

export function headerOf({ headers }: InboundRequest, name: string): string {
  const value = headers[name]
  return typeof value === 'string' ? value : ''
}

function hasCallbackToken({ path }: InboundRequest, options: LinkOptions): boolean {
  const given = decodeSegment(path.split('/').at(-1)!)
  const tokens = [options.callbackToken, options.previousCallbackToken]
  return tokens.some((token) => token !== undefined && token !== '' && isSameSecret(given, token))
}

function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}
