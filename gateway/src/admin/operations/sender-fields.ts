/** A sender as the operations of the admin API take and answer it. */
import { maskNumber } from '../../channels/numbers.ts'
import { clock } from '../../platform/clock.ts'
import type { ListedSender } from '../../trust/senders/queries.ts'
import { proofKinds, senderKinds, senderStates, stateAt } from '../../trust/senders/sender.ts'
import { clientId, nullable, oneOf, record, text, time } from '../fields.ts'

export const senderId = text('Id of the sender', { pattern: '^[0-9]{1,18}$' })

export const senderFields = {
  id: senderId,
  account: clientId,
  kind: oneOf(senderKinds, 'What it is'),
  value: text('The number or key; of a mobile number the last digits'),
  state: oneOf(senderStates, 'active: it may be sent from'),
  validUntil: nullable(time('Until when it may be sent from; null: without end')),
  proof: nullable(oneOf(proofKinds, 'How it was proven that the account may use it')),
  proofIssued: nullable(text('The day the proof was issued')),
  createdAt: time('When it was registered'),
  updatedAt: time('When it was last changed'),
}
export const Sender = record(senderFields, 'A sender')

/** A mobile number may be of a person. */
export function toSender(sender: ListedSender) {
  const { id, clientId: account, kind, value, validUntil, proof, createdAt, updatedAt } = sender
  const isMobile = kind === 'number' && /^01[016789]/.test(value)
  return {
    ...{ id, account, kind, value: isMobile ? maskNumber(value) : value, validUntil, createdAt, updatedAt },
    ...{ state: stateAt(sender, clock.now()), proof: proof?.kind ?? null },
    proofIssued: proof?.issued ?? null,
  }
}

/** A number may be written with blanks, brackets and hyphens. */
export function plainValue({ kind, value }: { readonly kind: string; readonly value: string }): string {
  return kind === 'number' ? value.replaceAll(/[\s()-]/g, '') : value
}
