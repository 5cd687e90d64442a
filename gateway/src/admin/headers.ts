/** Parses the request headers Idempotency-Key and If-Match. */
import { createHash } from 'node:crypto'
import { OperationError } from '../operations/errors.ts'

type Header = string | readonly string[] | undefined

/**
 * Returns the request ID for an Idempotency-Key: the same for every request of the operator with this key.
 * The audit log stores it, which identifies repeats. Returns undefined without the header.
 */
export function readOnceId(header: Header, operator: string): string | undefined {
  if (header === undefined) return undefined
  if (typeof header !== 'string' || !/^[\x21-\x7e]{1,200}$/.test(header))
    throw new OperationError(
      'invalid-request',
      'Idempotency-Key must be 1 to 200 visible ASCII characters, such as a UUID',
    )
  const digest = createHash('sha256')
    .update(JSON.stringify([operator, header]))
    .digest('hex')
  return digest.slice(0, 32).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

/** Returns the version from If-Match, with or without quotes, or undefined without the header. */
export function readVersion(header: Header): string | undefined {
  if (header === undefined) return undefined
  const version = typeof header === 'string' ? /^"?(\d{1,18})"?$/.exec(header)?.[1] : undefined
  if (version !== undefined) return version
  throw new OperationError(
    'invalid-request',
    'If-Match must be the version of the object to replace, as it was read',
  )
}
