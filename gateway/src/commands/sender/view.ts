/** A sender as the commands print it. */
import { maskNumber } from '../../channels/numbers.ts'
import type { ListedSender } from '../../trust/senders/queries.ts'
import { stateAt } from '../../trust/senders/sender.ts'

/** A mobile number may be of a person, and the reference of a proof may name one: both are shown on request. */
export function senderJson(sender: ListedSender, now: number, reveal = false) {
  const { clientId, kind, validUntil, createdAt, updatedAt } = sender
  const value = reveal || !isMobile(sender) ? sender.value : maskNumber(sender.value)
  const proof = sender.proof === null || reveal ? sender.proof : { ...sender.proof, reference: '***' }
  return { clientId, kind, value, state: stateAt(sender, now), validUntil, proof, createdAt, updatedAt }
}

function isMobile({ kind, value }: Pick<ListedSender, 'kind' | 'value'>): boolean {
  return kind === 'number' && /^01[016789]/.test(value)
}
