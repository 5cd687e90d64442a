/** Sets the behaviour of a sandbox route. */
import { readOptions } from '../../carriers/connectors/registry.ts'
import type { Behaviour } from '../../carriers/connectors/sandbox/behaviour.ts'
import type { Cause } from '../../channels/cause.ts'
import type { FieldCipher } from '../../platform/encryption/field-cipher.ts'
import { setRouteOptions } from '../../carriers/routes/queries.ts'
import type { AuditRecorder } from '../audit-recorder.ts'
import { OperationError } from '../errors.ts'

export interface ChosenBehaviour {
  readonly behaviour: Behaviour
  readonly cause?: Cause
  readonly delaySeconds?: number
}

/** Changes only sandbox routes: the options of any other route would be lost. */
export async function setBehaviour(
  audit: AuditRecorder,
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
