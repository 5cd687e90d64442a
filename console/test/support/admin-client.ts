/** Requests to the admin API of a test installation. */
import type { StaffRole } from '../../../gateway/src/identity/operators/rights.ts'
import type { ConsoleInstallation } from './console-installation.ts'

export async function callAdmin<Data>(
  { url, keys }: Pick<ConsoleInstallation, 'url' | 'keys'>,
  role: StaffRole,
  method: 'GET' | 'POST' | 'PUT' | 'PATCH',
  path: string,
  body?: object,
  headers: Readonly<Record<string, string>> = {},
): Promise<Data> {
  const response = await fetch(`${url}/admin/v1${path}`, {
    method,
    headers: {
      authorization: `Bearer ${keys[role]}`,
      ...headers,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const content = (await response.json()) as { data?: Data }
  if (!response.ok || content.data === undefined)
    throw new Error(`${method} ${path}: ${response.status} ${JSON.stringify(content)}`)
  return content.data
}
