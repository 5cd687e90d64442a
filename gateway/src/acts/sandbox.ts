/** What testers change in the sandbox, for the admin API. */
import { readOptions } from '../connectors/registry.ts'
import type { Behaviour } from '../connectors/sandbox/behaviour.ts'
import type { Cause } from '../channels/cause.ts'
import type { FieldCipher } from '../platform/encryption/field-cipher.ts'
import { setRouteOptions } from '../routes/queries.ts'
import type { ActAudit } from './act-audit.ts'
import { OperationError } from './errors.ts'

export interface ChosenBehaviour {
  readonly behaviour: Behaviour
  readonly cause?: Cause
  readonly delaySeconds?: number
}

/** Of a route of the sandbox alone: the options of any other would be lost. */
export async function setBehaviour(
  audit: ActAudit,
  cipher: FieldCipher,
  id: string,
  chosen: ChosenBehaviour,
): Promise<void> {
  const options = { ...chosen }
  try {
    readOptions('sandbox', options)
  } catch (error) {
    throw new OperationError('invalid-request', (error as Error).message)
  }
  await audit.change(async (transaction) => {
    if (!(await setRouteOptions(transaction, { id, protocol: 'sandbox', options }, cipher)))
      throw new OperationError('not-found', `sandbox route '${id}' not found`, {
        facts: { resource: 'route', id },
      })
    return [null, { target: id, details: options }]
  })
}
