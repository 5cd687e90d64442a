import { Type } from 'typebox'
import { requireAccountId } from '../find-account.ts'
import { OperationError } from '../errors.ts'
import { today } from './import.ts'
import type { OwnAccount } from '../../identity/operators/queries.ts'
import { clock } from '../../platform/time/clock.ts'
import type { Queryable } from '../../platform/database/database.ts'
import { decryptChanges, decryptProof } from '../../trust/senders/proofs.ts'
import {
  countPending,
  findSender,
  listSenders,
  readSenderChanges,
  type SenderEntry,
  type SenderChange,
} from '../../trust/senders/queries.ts'
import {
  validateRegistration,
  registerSenders,
  type SenderRegistration,
} from '../../trust/senders/register.ts'
import {
  normalizeSenderValue,
  proofKinds,
  senderKinds,
  senderStates,
  storedSenderStates,
} from '../../trust/senders/sender.ts'
import { readCursor, toPage } from '../cursor.ts'
import {
  clientId,
  flag,
  internal,
  list,
  nullable,
  oneOf,
  page,
  pageQuery,
  record,
  text,
  time,
} from '../fields.ts'
import {
  writeAccess,
  defineOperation,
  personalDataAccess,
  readAccess,
  type RequestContext,
} from '../operation.ts'
import { importOperation } from './import-operations.ts'
import { senderDecisions } from './decisions.ts'
import {
  toExpiry,
  lastDay,
  proofFields,
  requireSender,
  SenderSchema,
  senderFields,
  senderId,
  senderKind,
  senderSubject,
  senderValue,
  toProof,
  toSender,
} from './fields.ts'
import { lookUpSender, createUnregisteredError, senderLookupFields } from './lookup.ts'

const Change = record(
  {
    at: time('When'),
    by: internal(text('Operator who changed it')),
    from: nullable(oneOf(storedSenderStates, 'The previous state; null at registration')),
    to: oneOf(storedSenderStates, 'The new state'),
    validUntil: nullable(time('Expiry; null if it does not expire')),
    reason: internal(text('Why')),
    proof: nullable(
      oneOf(proofKinds, 'The proof of the registration or approval; null if there was none or it is unknown'),
    ),
    proofIssued: nullable(text('Issue date of the proof')),
    proofReference: internal(nullable(text('Reference of the proof; null unless revealed'))),
  },
  'A change of state',
  { title: 'SenderChange' },
)

function toChange({ proof, ...change }: SenderChange, reveal: boolean) {
  return {
    ...change,
    proof: proof?.kind ?? null,
    proofIssued: proof?.issued ?? null,
    proofReference: reveal ? (proof?.reference ?? null) : null,
  }
}

const reveal = Type.Optional(
  flag(
    'Show the whole number, and to operators the references of the proofs; requires the right _reveal_ and a reason, and is recorded',
  ),
)

const SenderWithHistory = record(
  {
    ...senderFields,
    // The reference can be internal to an operator, such as a file number. Clients know the references that
    // they provided.
    proofReference: internal(nullable(text('Reference of the proof; null unless revealed'))),
    history: list(Change, 'Changes of state, oldest first'),
  },
  'A sender',
  { title: 'SenderDetail' },
)

async function showWithHistory(
  sender: SenderEntry,
  isRevealed: boolean,
  { database, audit, services: { encryption } }: RequestContext,
) {
  // Recorded by ID: the number can belong to a person.
  if (isRevealed)
    await audit.recordAccess({
      target: `proof of sender ${sender.kind} ${sender.id}`,
      account: sender.clientId,
    })
  const proof = isRevealed ? await decryptProof(database, encryption, sender, sender.proof) : null
  const stored = await readSenderChanges(database, sender.id)
  const history = isRevealed ? await decryptChanges(database, encryption, sender, stored) : stored
  return {
    ...toSender(sender),
    ...(isRevealed ? { value: sender.value } : {}),
    proofReference: proof?.reference ?? null,
    history: history.map((change) => toChange(change, isRevealed)),
  }
}

/** Limited, because an operator decides on each of them. */
const maxRequested = 50

/** Limits pending registrations of a client, which registers senders without an operator. */
/** Throws if more senders wait for approval than an account can register. */
async function requireNotTooMany(database: Queryable, { id }: OwnAccount): Promise<void> {
  if ((await countPending(database, id)) > maxRequested)
    throw new OperationError(
      'refused',
      `${maxRequested} senders of the account are already waiting for approval; register more after they are decided`,
    )
}

function readNew(
  registration: SenderRegistration,
  allowedKinds: readonly string[] | undefined,
): SenderRegistration {
  try {
    return validateRegistration(registration, today(clock.date()), allowedKinds)
  } catch (error) {
    throw new OperationError('invalid-request', (error as Error).message)
  }
}

export const senderOperations = [
  defineOperation({
    id: 'listSenders',
    method: 'get',
    path: '/admin/v1/senders',
    tag: 'Senders',
    summary: 'List senders, newest first',
    access: readAccess(),
    client: 'own',
    action: 'sender list',
    command: {
      arguments: ['account'],
      examples: ['--state pending', 'shop-1 --json'],
      columns: ['id', 'account', 'kind', 'value', 'state', 'validUntil', 'proof'],
    },
    query: {
      ...pageQuery,
      account: Type.Optional(clientId),
      kind: Type.Optional(oneOf(senderKinds, 'Only of this kind')),
      state: Type.Optional(oneOf(senderStates, 'Only in this state')),
    },
    data: page(SenderSchema, 'Senders'),
    run: async ({ query: { limit, cursor, account, kind, state } }, { database }) => {
      if (account !== undefined) await requireAccountId(database, account)
      const before = readCursor(Type.Tuple([Type.String({ pattern: '^[0-9]{1,18}$' })]), cursor)?.[0]
      const rows = await listSenders(database, { clientId: account, kind, state, before, limit: limit + 1 })
      return toPage(rows, limit, toSender, ({ id }) => [id])
    },
  }),
  defineOperation({
    id: 'findSender',
    method: 'post',
    path: '/admin/v1/senders/find',
    tag: 'Senders',
    summary: 'Find a sender by number or key, with its proof and history',
    // Uses POST, because a phone number in a URL would appear in the logs of every proxy.
    description:
      'Finding a mobile number, of which lists show the last digits, requires the right _reveal_; a lookup of an unregistered one is recorded. Showing a sender by ID does not require that right.',
    access: personalDataAccess(),
    action: 'sender show',
    command: {
      arguments: ['account', 'value'],
      examples: ['shop-1 0212345678', 'shop-1 --id 17 --reveal --reason "asked by the account"'],
    },
    body: { account: clientId, ...senderLookupFields, reveal },
    data: SenderWithHistory,
    run: async ({ body }, context) => {
      const { key, found } = await lookUpSender(body.account, body, context)
      if (found === null) throw await createUnregisteredError('sender show', body.account, key, context)
      return showWithHistory(found, body.reveal === true, context)
    },
  }),
  defineOperation({
    id: 'showSender',
    method: 'get',
    path: '/admin/v1/accounts/{clientId}/senders/{senderId}',
    tag: 'Senders',
    summary: 'Show a sender with its proof and history, including previous proofs',
    access: personalDataAccess(),
    client: 'own',
    action: 'sender show',
    params: { clientId, senderId },
    query: { reveal },
    data: SenderWithHistory,
    run: async ({ params, query }, context) => {
      const accountId = await requireAccountId(context.database, params.clientId)
      const found = await requireSender(context.database, accountId, params)
      return showWithHistory(found, query.reveal === true, context)
    },
  }),
  defineOperation({
    id: 'addSender',
    method: 'post',
    path: '/admin/v1/accounts/{clientId}/senders',
    tag: 'Senders',
    summary: 'Register a sender of an account, pending approval; repeating it changes nothing',
    description: `Clients can have at most ${maxRequested} senders waiting for approval, on which operators decide.`,
    access: writeAccess('senders'),
    client: 'own',
    action: 'sender add',
    command: {
      arguments: ['clientId', 'value'],
      examples: [
        'shop-1 0212345678',
        'shop-1 "Bank 24" --kind international',
        'shop-1 @shop --kind kakao-key',
      ],
    },
    params: { clientId },
    body: {
      kind: senderKind,
      value: senderValue,
      validUntil: Type.Optional(lastDay('no expiry if omitted')),
      ...proofFields,
    },
    data: record(
      { ...senderFields, changed: flag('false if it was already registered and nothing changed') },
      'The sender',
    ),
    run: async ({ params, body }, { database, audit, signed, services: { encryption, config } }) => {
      const { kind = 'number', proof, validUntil } = body
      const value = normalizeSenderValue(kind, body.value)
      const accountId = await requireAccountId(database, params.clientId)
      const key = { accountId, kind, value }
      const registration = readNew(
        {
          ...key,
          state: 'pending',
          proof: proof === undefined ? null : toProof(proof),
          validUntil: validUntil === undefined ? null : toExpiry(validUntil),
        },
        config.senderKinds,
      )
      const changed = await audit.change(async (transaction) => {
        const act = audit.contextFor('registered')
        const { length } = await registerSenders(transaction, [registration], act, encryption)
        if (length > 0 && signed.account !== null) await requireNotTooMany(transaction, signed.account)
        return [length > 0, length === 0 ? null : senderSubject(params.clientId, key)] as const
      })
      return { ...toSender((await findSender(database, key))!), changed }
    },
  }),
  importOperation,
  ...senderDecisions,
]
