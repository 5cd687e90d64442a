/** Makes the client of a run of a command. */
import type { ActOptions } from '../act.ts'
import { UsageError } from '../errors.ts'
import { AdminClient } from './client.ts'
import type { Target } from './target.ts'

export function openAdmin(target: Target, { by, reason }: ActOptions): AdminClient {
  if (by !== undefined)
    throw new UsageError('--by is not allowed over the admin API: the key says who runs the command')
  return new AdminClient(target, reason)
}
