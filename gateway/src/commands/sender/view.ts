/** A sender as the commands print it. */
import type { ListedSender } from '../../trust/senders/queries.ts'
import { stateAt, type SenderKind } from '../../trust/senders/sender.ts'
import { FailedError } from '../errors.ts'

/** The reference of a proof may name a person or a document of one: it is shown on request. */
export function senderJson(sender: ListedSender, now: number, reveal = false) {
  const { clientId, kind, value, validUntil, createdAt, updatedAt } = sender
  const proof = sender.proof === null || reveal ? sender.proof : { ...sender.proof, reference: '***' }
  return { clientId, kind, value, state: stateAt(sender, now), validUntil, proof, createdAt, updatedAt }
}

export function notRegistered(clientId: string, kind: SenderKind, value: string): FailedError {
  return new FailedError(
    `${kind} '${value}' is not registered for '${clientId}'; \`postern sender add\` registers it, \`postern sender list ${clientId}\` lists what is`,
  )
}
