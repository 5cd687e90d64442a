/** Decisions on senders of accounts: approve, reject, block. */
import { Type, type Static } from 'typebox'
import { OperationError, wrongField } from '../../acts/errors.ts'
import { today } from '../../acts/import-senders.ts'
import { requireOtherRegistrant } from '../../acts/second-operator.ts'
import { clock } from '../../platform/clock.ts'
import { changeSender } from '../../trust/senders/changes.ts'
import { findSender } from '../../trust/senders/queries.ts'
import { storedStates } from '../../trust/senders/sender.ts'
import { clientId, nullable, oneOf, record, text } from '../fields.ts'
import { changes, defineOperation } from '../operation.ts'
import {
  endOf,
  lastDay,
  proofFields,
  senderFields,
  senderSubject,
  toProof,
  toSender,
} from './sender-fields.ts'
import { lookUpSender, refuseUnregistered, senderName } from './sender-lookup.ts'

const decidedStates = { approve: 'active', reject: 'rejected', block: 'blocked' } as const
type Decision = keyof typeof decidedStates

const approval = {
  ...proofFields,
  validUntil: Type.Optional(nullable(lastDay('null: without end; left out: it stays as it is'))),
  updatedAt: Type.Optional(
    text(
      'Its `updatedAt` as it was shown: refused as stale when it has changed since, such as its proof by the account',
      { format: 'date-time', maxLength: 40 },
    ),
  ),
}
const Approval = Type.Object({ ...senderName, ...approval })

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
    summary: `${summary}; running processes follow within two seconds`,
    description:
      'The sender is named by its number or key, or by its id. A blocked sender is changed by those who may stop accounts.',
    access: changes('senders', decision === 'approve' ? 'optional' : 'required'),
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
    body: decision === 'approve' ? { ...senderName, ...approval } : senderName,
    data: record(
      {
        ...senderFields,
        from: nullable(oneOf(storedStates, 'The state before; null: it was not registered')),
      },
      'The sender',
      { title: 'SenderDecision' },
    ),
    run: async ({ params, body }, context) => {
      const { database, audit, services } = context
      const given = body as Static<typeof Approval>
      const { key, found } = await lookUpSender(params.clientId, given, context)
      // A sender that is blocked need not be registered.
      if (found === null && decision !== 'block')
        throw await refuseUnregistered(`sender ${decision}`, params.clientId, key, context)
      const to = decidedStates[decision]
      const proof = given.proof === undefined ? undefined : toProof(given.proof)
      const { validUntil } = given
      const change = {
        to,
        proof,
        validUntil: typeof validUntil === 'string' ? endOf(validUntil) : validUntil,
        today: today(clock.date()),
        act: audit.actFor(decision),
      }
      const shownAt = given.updatedAt === undefined ? undefined : readTime(given.updatedAt)
      const from = await audit
        .change(async (transaction) => {
          const changed = await changeSender(transaction, key, change, services.encryption)
          if (changed === null)
            throw await refuseUnregistered(`sender ${decision}`, params.clientId, key, context)
          if (shownAt !== undefined && changed.before?.getTime() !== shownAt)
            throw new OperationError(
              'stale',
              'the sender has changed since it was shown; look at it and its proof again, then decide',
            )
          // A block stops messages, so that only those who may set one may lift it, in two steps as well.
          if (changed.from === 'blocked' && decision !== 'block') await audit.requireRight('block')
          if (decision === 'approve') await requireOtherRegistrant(transaction, audit, [key])
          const details = { from: changed.from, to, proof: proof?.kind ?? null }
          return [changed.from, { ...senderSubject(params.clientId, key), details }] as const
        })
        .catch((error: unknown) => {
          if (error instanceof Error && error.constructor === Error)
            throw new OperationError('refused', error.message)
          throw error
        })
      return { ...toSender((await findSender(database, key))!), from }
    },
  })

export const senderDecisions = [
  decideOperation('approve', 'Let an account send from a sender'),
  decideOperation('reject', 'Refuse the registration of a sender'),
  decideOperation(
    'block',
    'Stop all messages of an account from a sender, accepted ones included and whatever rules are on',
  ),
]
