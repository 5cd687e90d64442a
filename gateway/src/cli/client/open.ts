/** Opens the client of one command run, with the transport that the options and the environment select. */
import type { AuditOptions } from '../shell-context.ts'
import { FailedError, UsageError } from '../errors.ts'
import { AdminClient, type ResponseData } from './client.ts'
import type { BackendOptions } from './backend-options.ts'
import { selectBackend } from './select-backend.ts'

export interface OpenedAdmin {
  readonly admin: AdminClient
  readonly close: () => Promise<void>
}

export async function openAdmin(
  command: string,
  options: AuditOptions & BackendOptions,
  forEveryKey = false,
): Promise<OpenedAdmin> {
  const target = selectBackend(options, command)
  const { by, reason } = options
  if (target === null) {
    const { openLocal } = await import('./local.ts')
    const transport = openLocal(options)
    return { admin: new AdminClient(transport, reason), close: () => transport.close() }
  }
  if (by !== undefined)
    throw new UsageError('--by is not allowed over the admin API: the key identifies the operator')
  const { HttpTransport } = await import('./http.ts')
  const transport = new HttpTransport(target)
  const admin = new AdminClient(transport, reason)
  // `postern login` has checked the key of a profile, and an operator never becomes a client operator.
  if (target.profile === null && !forEveryKey) refuseClient(await admin.call('showMe', {}))
  return { admin, close: () => transport.close() }
}

/**
 * Refuses client operators: commands expect responses for operators of the installation, which contain more
 * fields.
 */
export function refuseClient({ name, role }: Pick<ResponseData<'showMe'>, 'name' | 'role'>): void {
  if (role === 'client')
    throw new FailedError(
      `client operator '${name}' is not allowed to run commands: use the console or the admin API`,
    )
}
