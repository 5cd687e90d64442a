import { Type, type Static } from 'typebox'
import { endOfDay, readDay } from '../days.ts'
import { notFound } from '../errors.ts'
import { clock } from '../../platform/time/clock.ts'
import type { Database } from '../../platform/database/database.ts'
import { findSenderById, type SenderEntry, type SenderIdentity } from '../../trust/senders/queries.ts'
import {
  proofKinds,
  senderKinds,
  senderStates,
  maskSenderValue,
  computeSenderState,
  type SenderProof,
} from '../../trust/senders/sender.ts'
import { clientId, nullable, oneOf, record, text, time } from '../fields.ts'

export const senderId = text('ID of the sender', { pattern: '^[0-9]{1,18}$' })
export const senderKind = Type.Optional(oneOf(senderKinds, 'Kind of the sender (default: number)'))
export const senderValue = text(
  'The number (international ones with + and country code), sender ID, chatbot, brand key, sender key or template code',
  { minLength: 1, maxLength: 200 },
)

export const senderFields = {
  id: senderId,
  account: clientId,
  kind: oneOf(senderKinds, 'Kind of the sender'),
  value: text('The number or key; only the last digits of a mobile number'),
  state: oneOf(senderStates, 'State; active: messages can be sent from it'),
  validUntil: nullable(time('Expiry; null if it does not expire')),
  proof: nullable(oneOf(proofKinds, 'Kind of the proof that the account is entitled to use it')),
  proofIssued: nullable(text('Issue date of the proof')),
  createdAt: time('When it was registered'),
  updatedAt: time('When it was last changed'),
}
export const SenderSchema = record(senderFields, 'A sender', { title: 'Sender' })

export function toSender({ clientId: account, proof, ...sender }: SenderEntry) {
  return {
    ...sender,
    account,
    value: maskSenderValue(sender.kind, sender.value),
    state: computeSenderState(sender, clock.now()),
    proof: proof?.kind ?? null,
    proofIssued: proof?.issued ?? null,
  }
}

/** Returns the end of the last day, in Korea. */
export function toExpiry(validUntil: string): Date {
  return endOfDay(readDay(validUntil, 'validUntil'))
}

const Proven = record(
  {
    kind: oneOf(proofKinds, 'Kind of the proof that the account is entitled to use the sender'),
    reference: text(
      'Reference of the proof, such as a document number; not blank, without control characters',
      { minLength: 1, maxLength: 200 },
    ),
    issued: Type.Optional(
      text('Issue date of the proof, such as 2026-11-02; a certificate is valid for three months', {
        pattern: '^\\d{4}-\\d{2}-\\d{2}$',
      }),
    ),
  },
  'The proof',
  { title: 'SenderProof' },
)
export const proofFields = { proof: Type.Optional(Proven) }

export function toProof(given: Static<typeof Proven>): SenderProof {
  return { ...given, issued: given.issued ?? null }
}

export const lastDay = (without: string) =>
  text(`The last valid day in Korea, such as 2027-10-31; ${without}`, { pattern: '^\\d{4}-\\d{2}-\\d{2}$' })

export async function requireSender(
  database: Database,
  accountId: number,
  params: { readonly clientId: string; readonly senderId: string },
): Promise<SenderEntry> {
  const found = await findSenderById(database, accountId, params.senderId)
  if (found === null) throw notFound('sender', params.senderId, { account: params.clientId })
  return found
}

/** Returns the audit subject of a sender. Its number or key is not that of a recipient, and is not masked. */
export function senderSubject(
  account: string,
  { kind, value }: SenderIdentity,
): { target: string; account: string } {
  return { target: `${kind} ${value}`, account }
}
