/** The fields of a sender in requests and answers of the admin API. */
import { Type, type Static } from 'typebox'
import { endOfDay, readDay } from '../../acts/days.ts'
import { notFound } from '../../acts/errors.ts'
import { clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/database.ts'
import { findSenderById, type ListedSender, type SenderKey } from '../../trust/senders/queries.ts'
import {
  proofKinds,
  senderKinds,
  senderStates,
  shownValue,
  stateAt,
  type Proof,
} from '../../trust/senders/sender.ts'
import { clientId, nullable, oneOf, record, text, time } from '../fields.ts'

export const senderId = text('Id of the sender', { pattern: '^[0-9]{1,18}$' })
export const senderKind = Type.Optional(oneOf(senderKinds, 'Kind of the sender (default: number)'))
export const senderValue = text(
  'The number (a foreign one with + and its country code), sender ID, chatbot, brand key, sender key or template code',
  { minLength: 1, maxLength: 200 },
)

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
export const Sender = record(senderFields, 'A sender', { title: 'Sender' })

export function toSender({ clientId: account, proof, ...sender }: ListedSender) {
  return {
    ...sender,
    account,
    value: shownValue(sender.kind, sender.value),
    state: stateAt(sender, clock.now()),
    proof: proof?.kind ?? null,
    proofIssued: proof?.issued ?? null,
  }
}

/** The end of the last day, in Korea. */
export function endOf(validUntil: string): Date {
  return endOfDay(readDay(validUntil, 'validUntil'))
}

const Proven = record(
  {
    kind: oneOf(proofKinds, 'How it was proven that the account may use the sender'),
    reference: text(
      'Where the proof is kept, such as a document number; not blank, without control characters',
      { minLength: 1, maxLength: 200 },
    ),
    issued: Type.Optional(
      text('The day the proof was issued, such as 2026-11-02; a certificate counts for three months', {
        pattern: '^\\d{4}-\\d{2}-\\d{2}$',
      }),
    ),
  },
  'The proof',
  { title: 'SenderProof' },
)
export const proofFields = { proof: Type.Optional(Proven) }

export function toProof(given: Static<typeof Proven>): Proof {
  return { ...given, issued: given.issued ?? null }
}

export const lastDay = (without: string) =>
  text(`The last day in Korea on which it may be sent from, such as 2027-10-31; ${without}`, {
    pattern: '^\\d{4}-\\d{2}-\\d{2}$',
  })

export async function requireSender(
  database: Database,
  accountId: number,
  params: { readonly clientId: string; readonly senderId: string },
): Promise<ListedSender> {
  const found = await findSenderById(database, accountId, params.senderId)
  if (found === null) throw notFound('sender', params.senderId, { account: params.clientId })
  return found
}

/** A sender in the audit log. Its number or key is not that of a recipient, and is shown whole. */
export function senderSubject(
  account: string,
  { kind, value }: SenderKey,
): { target: string; account: string } {
  return { target: `${kind} ${value}`, account }
}
