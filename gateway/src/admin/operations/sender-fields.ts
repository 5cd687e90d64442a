/** A sender as the operations of the admin API take and answer it. */
import { Type } from 'typebox'
import { endOfDay, readDay } from '../../acts/days.ts'
import { NotFoundError } from '../../acts/errors.ts'
import { clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/database.ts'
import { findSenderById, type ListedSender } from '../../trust/senders/queries.ts'
import { proofKinds, senderKinds, senderStates, shownValue, stateAt } from '../../trust/senders/sender.ts'
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
export const Sender = record(senderFields, 'A sender', { title: 'Sender' })

export function toSender(sender: ListedSender) {
  const { id, clientId: account, kind, value, validUntil, proof, createdAt, updatedAt } = sender
  return {
    ...{
      id,
      account,
      kind,
      value: shownValue(kind, value),
      validUntil,
      createdAt,
      updatedAt,
    },
    ...{ state: stateAt(sender, clock.now()), proof: proof?.kind ?? null },
    proofIssued: proof?.issued ?? null,
  }
}

/** The end of the last day, in Korea. */
export function endOf(validUntil: string): Date {
  return endOfDay(readDay(validUntil, "'validUntil'"))
}

export const proofFields = {
  proof: Type.Optional(
    record(
      {
        kind: oneOf(proofKinds, 'How it was proven'),
        reference: text(
          'Where the proof is kept, such as a document number; not blank, without control characters',
          {
            minLength: 1,
            maxLength: 200,
          },
        ),
        issued: Type.Optional(text('The day it was issued', { pattern: '^\\d{4}-\\d{2}-\\d{2}$' })),
      },
      'The proof',
      { title: 'SenderProof' },
    ),
  ),
}

export const lastDay = (without: string) =>
  text(`The last day on which it may be sent from, in Korea; ${without}`, {
    pattern: '^\\d{4}-\\d{2}-\\d{2}$',
  })

export async function requireSender(
  database: Database,
  accountId: number,
  params: { readonly clientId: string; readonly senderId: string },
): Promise<ListedSender> {
  const found = await findSenderById(database, accountId, params.senderId)
  if (found === null) throw new NotFoundError(`account '${params.clientId}' has no sender ${params.senderId}`)
  return found
}
