/** Verifies the callbacks of a provider at `/inbound/<route>` and passes them to its module. */
import { parseForm } from '../../http/form.ts'
import {
  maxInboundReceipts,
  type Inbound,
  type InboundRequest,
  type InboundResult,
} from '../../options/kind.ts'
import { isSameSecret } from '../../options/secrets.ts'
import { parseJson } from './response.ts'
import type { ProviderLinkOptions } from './options.ts'
import type { Provider, ProviderEvents } from './provider.ts'
import { createRoute, toReceipt, toReply } from './route.ts'

const jsonType = 'application/json'
const formType = 'application/x-www-form-urlencoded'

export function createCallbacks({ callback }: Provider, options: ProviderLinkOptions): Inbound {
  const route = createRoute(options)
  if (callback === undefined) return () => ({ receipts: [], response: { status: 404 } })
  const { verify, read, contentType = jsonType, response = { status: 200 } } = callback
  return (request) => {
    if (!isGenuine(request)) return { receipts: [], response: { status: 401 } }
    try {
      const events = read(readBody(request), request, route)
      if (events !== null) return { ...toInboundEvents(events), response }
    } catch {
      // The module failed: the provider repeats the callback until the module is corrected.
    }
    return { receipts: [], response: refuseFormat(request, contentType) }
  }

  function isGenuine(request: InboundRequest): boolean {
    try {
      if (verify === 'path') return hasCallbackToken(request, options)
      // An untyped module can return a promise, which is not a proof.
      const result: unknown = verify(request, route)
      return result === true
    } catch {
      return false
    }
  }
}

/** Keeps one receipt and one reply more than allowed, which is enough for the API to refuse the request. */
function toInboundEvents({ receipts = [], replies = [] }: ProviderEvents): Omit<InboundResult, 'response'> {
  const isEmpty = receipts.length === 0 && replies.length === 0
  return {
    receipts: receipts.slice(0, maxInboundReceipts + 1).map(toReceipt),
    replies: replies.slice(0, maxInboundReceipts + 1).map(toReply),
    events: isEmpty ? ['not-a-receipt'] : replies.slice(0, maxInboundReceipts + 1).map(() => 'reply'),
  }
}

/** Returns an error status, so that the provider repeats the callback until its format is corrected and no receipt is lost. */
function refuseFormat(request: InboundRequest, expected: string) {
  if (['', expected].includes(contentTypeOf(request))) return { status: 400 }
  const body = `Unsupported content type; set the callback format to ${expected} at the provider`
  return { status: 415, body }
}

/**
 * Returns the JSON of the body or the fields of a form, or undefined if it is neither. If a name repeats, the first field
 * applies.
 */
function readBody(request: InboundRequest): unknown {
  const type = contentTypeOf(request)
  if (type === jsonType || (type === '' && /^\s*[[{]/.test(request.body.toString('latin1', 0, 64))))
    return parseJson(request.body.toString())
  if (type !== '' && type !== formType) return undefined
  const form = parseForm(request.body)
  return form === null ? undefined : toFormFields(form)
}

export function toFormFields(form: Iterable<[string, string]>): Readonly<Record<string, string>> {
  const fields = new Map<string, string>()
  for (const [name, value] of form) if (!fields.has(name)) fields.set(name, value)
  return Object.fromEntries(fields)
}

function contentTypeOf({ headers, body }: InboundRequest): string {
  return body.length === 0 ? '' : (headers['content-type'] ?? '').split(';')[0]!.trim().toLowerCase()
}

export function getHeader({ headers }: InboundRequest, name: string): string {
  const value = headers[name]
  return typeof value === 'string' ? value : ''
}

function hasCallbackToken({ path }: InboundRequest, options: ProviderLinkOptions): boolean {
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
