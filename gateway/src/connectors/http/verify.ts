/**
 * Whether a callback is of the carrier, by the `verify` of a route. Secrets are compared in constant time. A callback that
 * is sent again is accepted again: receipts may be repeated without harm. Pure; throws nothing once compiled.
 */
import { createHmac, createPublicKey, verify as verifySignature } from 'node:crypto'
import type { KeyObject } from 'node:crypto'
import type { InboundRequest } from '../kind.ts'
import { didYouMean } from '../options.ts'
import { isSameSecret } from '../secrets.ts'
import { parseForm } from '../form.ts'
import type { Verify } from './profile.ts'
import type { Values } from './template.ts'

export type Verifier = (request: InboundRequest) => boolean

/** Where the query of a callback is not part of what is verified, it must not be read. */
export function coversQuery({ by }: Verify): boolean {
  return by === 'path' || by === 'header' || by === 'none'
}

export function compileVerifier(given: Verify, account: Values, callbackUrl: string): Verifier {
  if (given.by === 'none') return () => true
  const verifiers = keysOf(given, account).map((key) => verifierOf(given, key, callbackUrl))
  return (request) => verifiers.some((isAuthentic) => isAuthentic(request))
}

function verifierOf(given: Verify, key: string, callbackUrl: string): Verifier {
  if (given.by === 'path') return ({ path }) => isSameSecret(decodeSegment(path.split('/').at(-1)!), key)
  if (given.by === 'twilio') {
    if (callbackUrl === '')
      throw new Error('callbackUrl is required by verify.by twilio: the address is part of the signature')
    return (request) => {
      const found = header(request, 'x-twilio-signature')
      if (!/^[A-Za-z0-9+/]{27}=$/.test(found)) return false
      const fields = parseForm(request.body)
      return fields !== null && isSameSecret(found, twilioSignature(fields, callbackUrl, key))
    }
  }
  const name = given.header?.toLowerCase()
  if (name === undefined) throw new Error(`verify.header is required by verify.by ${given.by}`)
  if (given.by === 'header') return (request) => isSameSecret(header(request, name), given.prefix + key)
  const signed = compileSigned(given.signed)
  if (given.by === 'hmac')
    return (request) => {
      const digest = createHmac(given.algorithm, key).update(signed(request)).digest(given.encoding)
      const found = header(request, name)
      return isSameSecret(given.encoding === 'hex' ? found.toLowerCase() : found, given.prefix + digest)
    }
  const publicKey = readPublicKey(key)
  return (request) => {
    const found = header(request, name)
    if (!found.startsWith(given.prefix) || found.length > 256) return false
    const signature = Buffer.from(found.slice(given.prefix.length), given.encoding)
    return signature.length === 64 && verifySignature(null, signed(request), publicKey, signature)
  }
}

/** The key, and the one before its last change: messages that were sent before have it in their callback address. */
function keysOf({ by, key }: Verify, account: Values): string[] {
  if (key === undefined)
    throw new Error(`verify.key is required by verify.by ${by}: the name of an entry of secrets`)
  const value = account.get(key)
  if (value === '') throw new Error(`verify.key names ${key}, which is empty`)
  if (value !== undefined) {
    const previous = account.get(`previous${key[0]!.toUpperCase()}${key.slice(1)}`)
    return previous === undefined || previous === '' ? [value] : [value, previous]
  }
  throw new Error(`verify.key names ${key}, which is not in secrets${didYouMean(key, [...account.keys()])}`)
}

/** The address as the carrier knows it, then the fields of the form in the order of their names. */
function twilioSignature(form: URLSearchParams, url: string, key: string): string {
  const fields = [...form].sort(([left], [right]) => (left < right ? -1 : left > right ? 1 : 0))
  const text = url + fields.map(([name, value]) => name + value).join('')
  return createHmac('sha1', key).update(text).digest('base64')
}

function compileSigned(template: string): (request: InboundRequest) => Buffer {
  const pieces = [...template.matchAll(/\{([A-Za-z0-9-]+)\}|[^{]+|\{/g)].map(([text, name]) => ({
    text,
    name,
  }))
  if (!pieces.some(({ name }) => name === 'body')) throw new Error('verify.signed must have {body}')
  return (request) =>
    Buffer.concat(
      pieces.map(({ text, name }) => {
        if (name === undefined) return Buffer.from(text)
        return name === 'body' ? request.body : Buffer.from(header(request, name.toLowerCase()))
      }),
    )
}

/** PEM, or the 32 bytes of the key in base64. */
function readPublicKey(text: string): KeyObject {
  const path = 'verify.key must name an Ed25519 public key, PEM or 32 bytes in base64'
  let key: KeyObject
  try {
    const raw = Buffer.from(text, 'base64')
    key = text.includes('BEGIN')
      ? createPublicKey(text)
      : createPublicKey({
          key: { kty: 'OKP', crv: 'Ed25519', x: raw.toString('base64url') },
          format: 'jwk',
        })
  } catch (cause) {
    throw new Error(path, { cause })
  }
  if (key.asymmetricKeyType !== 'ed25519') throw new Error(path)
  return key
}

function header({ headers }: InboundRequest, name: string): string {
  const value = headers[name]
  return typeof value === 'string' ? value : ''
}

function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}
