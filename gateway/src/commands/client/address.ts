/** The address of an admin API, as a profile or POSTERN_ADMIN_URL gives it. Pure. */
import { isLoopback } from '../../admin/sign-in/provider-settings.ts'
import { UsageError } from '../errors.ts'

/** The origin. A key must not cross a network in clear. `name`: where it was given, for the error. */
export function readAddress(text: string, name: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  const isOrigin = url !== undefined && url.pathname === '/' && url.search === '' && url.hash === ''
  if (!isOrigin || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '')
    throw new UsageError(
      `${name} must be the address of an admin API without a path, such as https://admin.example.com${url?.password ? '' : `, not '${text}'`}`,
    )
  if (url.protocol === 'http:' && !isLoopback(url))
    throw new UsageError(
      `${name} must start with https://, unless its host is loopback: the key of an operator must not cross a network in clear`,
    )
  return url.origin
}
