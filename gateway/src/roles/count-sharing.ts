/** How the processes of a cell that accept messages share what they count. */
import { processId } from '../platform/process-id.ts'
import type { CountSharing } from '../trust/abuse/share-counts.ts'
import type { Runtime } from './runtime.ts'

/** `role`: `postern all` runs both in one process, and each counts what it accepts. */
export function countSharing(
  { broker, config }: Pick<Runtime, 'broker' | 'config'>,
  role: 'api' | 'smpp-server',
): CountSharing & { readonly secret: string } {
  const { queuePrefix, tokenSecret: secret } = config
  return { broker, processId: `${processId} ${role}`, topic: `${queuePrefix}velocity`, secret }
}
