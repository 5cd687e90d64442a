/** Opens the client of one run of a command, with the transport that the options and the environment choose. */
import type { ActOptions } from '../act.ts'
import { FailedError, UsageError } from '../errors.ts'
import { AdminClient, type Data } from './client.ts'
import type { WayOptions } from './way-options.ts'
import { chooseTarget } from './way.ts'

export interface OpenedAdmin {
  readonly admin: AdminClient
  readonly close: () => Promise<void>
}

export async function openAdmin(
  command: string,
  options: ActOptions & WayOptions,
  forEveryKey = false,
): Promise<OpenedAdmin> {
  const target = chooseTarget(options, command)
  const { by, reason } = options
  if (target === null) {
    const { openLocal } = await import('./local.ts')
    const transport = openLocal(options)
    return { admin: new AdminClient(transport, reason), close: () => transport.close() }
  }
  if (by !== undefined)
    throw new UsageError('--by is not allowed over the admin API: the key says who runs the command')
  const { HttpTransport } = await import('./http.ts')
  const transport = new HttpTransport(target)
  const admin = new AdminClient(transport, reason)
  // `postern login` has checked the key of a profile, and an operator never becomes one of a client.
  if (target.profile === null && !forEveryKey) refuseClient(await admin.call('showMe', {}))
  return { admin, close: () => transport.close() }
}

/** Commands print what the admin API answers to operators of the installation, and leaves out for clients. */
export function refuseClient({ name, role }: Pick<Data<'showMe'>, 'name' | 'role'>): void {
  if (role === 'client')
    throw new FailedError(
      `${name} is an operator of a client, and runs no command: sign in to the console, or send requests to the admin API`,
    )
}
