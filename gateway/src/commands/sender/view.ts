/** A sender as the commands print it. */
import type { ListedSender } from '../../trust/senders/queries.ts'
import { stateAt, type SenderKind } from '../../trust/senders/sender.ts'
import { FailedError } from '../errors.ts'

export function senderJson(sender: ListedSender, now: number) {
  const { clientId, kind, value, validUntil, proof, createdAt, updatedAt } = sender
  return { clientId, kind, value, state: stateAt(sender, now), validUntil, proof, createdAt, updatedAt }
}

export function notRegistered(clientId: string, kind: SenderKind, value: string): FailedError {
  return new FailedError(
    `${kind} '${value}' is not registered for '${clientId}'; \`postern sender add\` registers it, \`postern sender list ${clientId}\` lists what is`,
  )
}
