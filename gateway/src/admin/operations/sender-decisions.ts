/** Decisions on senders of accounts: approve, reject, block. */
import { Type } from 'typebox'
import { requireAccountId } from '../../acts/accounts.ts'
import { decideSender, type SenderDecision } from '../../acts/senders.ts'
import { findSender } from '../../trust/senders/queries.ts'
import { plainValue, senderKinds, storedStates, type proofKinds } from '../../trust/senders/sender.ts'
import { clientId, nullable, oneOf, record, text } from '../fields.ts'
import { changes, defineOperation } from '../operation.ts'
import { AdminProblem } from '../problem.ts'
import {
  endOf,
  lastDay,
  proofFields,
  requireSender,
  senderFields,
  senderId,
  toSender,
} from './sender-fields.ts'
import { requireNoGuesses } from './sender-guesses.ts'

function readTime(updatedAt: string): Date {
  const at = new Date(updatedAt)
  if (Number.isNaN(at.getTime()))
    throw new AdminProblem('invalid-request', "'updatedAt' must be a time such as 2026-11-16T09:00:00.000Z")
  return at
}

const Decided = record(
  {
    ...senderFields,
    from: nullable(oneOf(storedStates, 'The state before; null: it was not registered')),
  },
  'The sender',
  { title: 'SenderDecision' },
)

const decideOperation = <const Decision extends SenderDecision>(decision: Decision, summary: string) =>
  defineOperation({
    id: `${decision}Sender` as const,
    method: 'post',
    path: `/admin/v1/accounts/{clientId}/senders/{senderId}/${decision}`,
    tag: 'Senders',
    summary: `${summary}; running processes follow within two seconds`,
    access: changes('senders', decision === 'approve' ? 'optional' : 'required'),
    action: `sender ${decision}`,
    params: { clientId, senderId },
    body:
      decision === 'approve'
        ? {
            ...proofFields,
            validUntil: Type.Optional(nullable(lastDay('null: without end; left out: it stays as it is'))),
            updatedAt: Type.Optional(
              text(
                'Its `updatedAt` as it was shown: refused as stale when it has changed since, such as its proof by the account',
                { format: 'date-time', maxLength: 40 },
              ),
            ),
          }
        : {},
    data: Decided,
    run: async ({ params, body }, { database, audit, services: { encryption } }) => {
      const accountId = await requireAccountId(database, params.clientId)
      const found = await requireSender(database, accountId, params)
      const { proof, validUntil, updatedAt } = body as {
        proof?: { kind: (typeof proofKinds)[number]; reference: string; issued?: string }
        validUntil?: string | null
        updatedAt?: string
      }
      const { kind, value } = found
      const { key, from } = await decideSender(database, audit, encryption, {
        ...{ clientId: params.clientId, kind, value, decision },
        proof: proof === undefined ? null : { ...proof, issued: proof.issued ?? null },
        ...(validUntil === undefined ? {} : { validUntil: validUntil === null ? null : endOf(validUntil) }),
        ...(updatedAt === undefined ? {} : { shownAs: readTime(updatedAt) }),
      })
      return { ...toSender((await findSender(database, key))!), from }
    },
  })

export const senderDecisions = [
  decideOperation('approve', 'Approve a sender'),
  decideOperation('reject', 'Reject a sender'),
  decideOperation('block', 'Block a sender'),
  defineOperation({
    id: 'blockSenderByValue',
    method: 'post',
    path: '/admin/v1/senders/block',
    tag: 'Senders',
    summary:
      'Block a number or key for an account, registered or not; running processes follow within two seconds',
    access: changes('senders', 'required'),
    action: 'sender block',
    body: {
      account: clientId,
      kind: oneOf(senderKinds, 'What it is'),
      value: text('The number or key', { minLength: 1, maxLength: 200 }),
    },
    data: Decided,
    run: async ({ body }, { database, audit, signed, services: { encryption } }) => {
      const { account, kind } = body
      const value = plainValue(kind, body.value)
      const accountId = await requireAccountId(database, account)
      await requireNoGuesses('sender block', [{ accountId, kind, value }], { database, audit, signed })
      const { key, from } = await decideSender(database, audit, encryption, {
        clientId: account,
        kind,
        value,
        decision: 'block',
        proof: null,
      })
      return { ...toSender((await findSender(database, key))!), from }
    },
  }),
]
