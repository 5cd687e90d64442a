import { Type, type Static } from 'typebox'
import { OperationError, wrongField } from '../errors.ts'
import { today } from './import.ts'
import { requireOtherRegistrant } from '../operators/second-operator.ts'
import { clock } from '../../platform/time/clock.ts'
import { changeSender } from '../../trust/senders/changes.ts'
import { findSender } from '../../trust/senders/queries.ts'
import { storedSenderStates } from '../../trust/senders/sender.ts'
import { clientId, nullable, oneOf, record, text } from '../fields.ts'
import { writeAccess, defineOperation } from '../operation.ts'
import { toExpiry, lastDay, proofFields, senderFields, senderSubject, toProof, toSender } from './fields.ts'
import { lookUpSender, createUnregisteredError, senderLookupFields } from './lookup.ts'

const decidedStates = { approve: 'active', reject: 'rejected', block: 'blocked' } as const
type Decision = keyof typeof decidedStates

const approval = {
  ...proofFields,
  validUntil: Type.Optional(nullable(lastDay('null means no expiry; kept if omitted'))),
  updatedAt: Type.Optional(
    text(
      'The `updatedAt` that was read; the request fails with stale if the sender has changed since, such as its proof',
      { format: 'date-time', maxLength: 40 },
    ),
  ),
}
const Approval = Type.Object({ ...senderLookupFields, ...approval })

function readTime(updatedAt: string): number {
  const at = Date.parse(updatedAt)
  if (Number.isNaN(at)) throw wrongField('updatedAt', 'must be a time such as 2026-11-16T09:00:00.000Z')
  return at
}

const decideOperation = <const Name extends Decision>(decision: Name, summary: string) =>
  defineOperation({
    id: `${decision}Sender` as const,
    method: 'post',
    path: `/admin/v1/accounts/{clientId}/senders/${decision}`,
    tag: 'Senders',
    summary: `${summary}, effective in all processes within two seconds`,
    description:
      'Identify the sender by its number or key, or by its ID; a mobile number requires the right _reveal_. Changing a blocked sender requires the right _block_.',
    access: writeAccess('senders', decision === 'approve' ? 'optional' : 'required'),
    action: `sender ${decision}`,
    command: {
      arguments: ['clientId', 'value'],
      examples: [
        {
          approve:
            'shop-1 0212345678 --proof-kind certificate --proof-reference KT-2026-118 --proof-issued 2026-11-02',
          reject: 'shop-1 0212345678 --reason "the certificate names another company"',
          block: 'shop-1 0212345678 --reason "reported as stolen"',
        }[decision],
      ],
    },
    params: { clientId },
    body: decision === 'approve' ? { ...senderLookupFields, ...approval } : senderLookupFields,
    data: record(
      {
        ...senderFields,
        from: nullable(oneOf(storedSenderStates, 'The previous state; null if it was not registered')),
      },
      'The sender',
      { title: 'SenderDecision' },
    ),
    run: async ({ params, body }, context) => {
      const { database, audit, services } = context
      // The bodies of the other decisions have no fields of an approval.
      const approvalBody = body as Static<typeof Approval>
      const { key, found } = await lookUpSender(params.clientId, approvalBody, context)
      // A sender can be blocked without being registered.
      if (found === null && decision !== 'block')
        throw await createUnregisteredError(`sender ${decision}`, params.clientId, key, context)
      const to = decidedStates[decision]
      const proof = approvalBody.proof === undefined ? undefined : toProof(approvalBody.proof)
      const { validUntil } = approvalBody
      const change = {
        to,
        proof,
        validUntil: typeof validUntil === 'string' ? toExpiry(validUntil) : validUntil,
        today: today(clock.date()),
        act: audit.contextFor(decision),
      }
      const shownAt = approvalBody.updatedAt === undefined ? undefined : readTime(approvalBody.updatedAt)
      const from = await audit
        .change(async (transaction) => {
          const changed = await changeSender(transaction, key, change, services.encryption)
          if (changed === null)
            throw await createUnregisteredError(`sender ${decision}`, params.clientId, key, context)
          if (shownAt !== undefined && changed.before?.getTime() !== shownAt)
            throw new OperationError(
              'stale',
              'the sender has changed since it was read; check it and its proof again, then decide',
            )
          // A block stops messages, so lifting it, even in two steps, requires the right `block`.
          if (changed.from === 'blocked' && decision !== 'block') await audit.requireRight('block')
          if (decision === 'approve') await requireOtherRegistrant(transaction, audit, [key])
          const details = { from: changed.from, to, proof: proof?.kind ?? null }
          return [changed.from, { ...senderSubject(params.clientId, key), details }] as const
        })
        .catch((error: unknown) => {
          // `changeSender` throws a plain Error if the change is not allowed.
          if (error instanceof Error && error.constructor === Error)
            throw new OperationError('refused', error.message)
          throw error
        })
      return { ...toSender((await findSender(database, key))!), from }
    },
  })

export const senderDecisions = [
  decideOperation('approve', 'Approve a sender of an account'),
  decideOperation('reject', 'Reject the registration of a sender'),
  decideOperation(
    'block',
    'Block a sender: stop all messages of the account from it, including accepted ones, under any rules',
  ),
]
