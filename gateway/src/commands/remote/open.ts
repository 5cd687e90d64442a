/** Makes the client of a run of a command. */
import type { ActOptions } from '../act.ts'
import { FailedError, UsageError } from '../errors.ts'
import { AdminClient } from './client.ts'
import type { Data } from './operations.ts'
import type { Target } from './target.ts'

export async function openAdmin(
  target: Target,
  { by, reason }: ActOptions,
  forEveryKey = false,
): Promise<AdminClient> {
  if (by !== undefined)
    throw new UsageError('--by is not allowed over the admin API: the key says who runs the command')
  const admin = new AdminClient(target, reason)
  // `postern login` has checked the key of a profile, and an operator never becomes one of a client.
  if (target.profile === null && !forEveryKey) refuseClient(await admin.call('showMe', {}))
  return admin
}

/** Commands print what the admin API answers to operators of the installation, and leaves out for clients. */
export function refuseClient({ name, role }: Pick<Data<'showMe'>, 'name' | 'role'>): void {
  if (role === 'client')
    throw new FailedError(
      `${name} is an operator of a client, and runs no command: sign in to the console, or send requests to the admin API`,
    )
}
