import { isLoopback } from '../../operations/sign-in/provider-settings.ts'
import { UsageError } from '../errors.ts'

/**
 * Returns the origin of an admin API address. A key must not cross a network in plaintext. `name` is the
 * source of the address, for the error.
 */
export function readAddress(text: string, name: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  const isOrigin = url !== undefined && url.pathname === '/' && url.search === '' && url.hash === ''
  if (!isOrigin || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '')
    throw new UsageError(
      `${name} must be an admin API URL without a path, such as https://admin.example.com${url?.password ? '' : `, not '${text}'`}`,
    )
  if (url.protocol === 'http:' && !isLoopback(url))
    throw new UsageError(
      `${name} must start with https:// unless its host is loopback: operator keys must not be sent in plaintext`,
    )
  return url.origin
}
