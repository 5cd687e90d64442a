/** Headers of a request that say how it may be done: Idempotency-Key and If-Match. Pure. */
import { createHash } from 'node:crypto'
import { OperationError } from '../acts/errors.ts'

type Header = string | readonly string[] | undefined

/**
 * The id of a request that is done once: the same for every request of the operator with the key. It is the request id in the audit log, by
 * which a repeat is recognized. Undefined without the header.
 */
export function readOnceId(header: Header, operator: string): string | undefined {
  if (header === undefined) return undefined
  if (typeof header !== 'string' || !/^[\x21-\x7e]{1,200}$/.test(header))
    throw new OperationError(
      'invalid-request',
      'Idempotency-Key must be 1 to 200 visible characters of ASCII, such as a UUID',
    )
  const digest = createHash('sha256')
    .update(JSON.stringify([operator, header]))
    .digest('hex')
  return digest.slice(0, 32).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

/** The `version` of what is to be replaced, with or without quotes. Undefined without the header. */
export function readVersion(header: Header): string | undefined {
  if (header === undefined) return undefined
  const version = typeof header === 'string' ? /^"?(\d{1,18})"?$/.exec(header)?.[1] : undefined
  if (version !== undefined) return version
  throw new OperationError(
    'invalid-request',
    'If-Match must be the version of what is replaced, as it was read',
  )
}
