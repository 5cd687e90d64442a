/** Senders of accounts: list, find, show and register. */
import { Type } from 'typebox'
import { requireAccountId } from '../../acts/accounts.ts'
import { OperationError } from '../../acts/errors.ts'
import { today } from '../../acts/import-senders.ts'
import type { OwnAccount } from '../../operators/queries.ts'
import { clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/database.ts'
import { decryptChanges, decryptProof } from '../../trust/senders/proofs.ts'
import {
  countPending,
  findSender,
  listSenders,
  readSenderChanges,
  type ListedSender,
  type SenderChange,
} from '../../trust/senders/queries.ts'
import { readRegistration, registerSenders, type Registration } from '../../trust/senders/register.ts'
import {
  plainValue,
  proofKinds,
  senderKinds,
  senderStates,
  storedStates,
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
import { maxMisses } from '../number-guesses.ts'
import { changes, defineOperation, looks, reads, type RequestContext } from '../operation.ts'
import { importOperation } from './sender-import.ts'
import { senderDecisions } from './sender-decisions.ts'
import {
  endOf,
  lastDay,
  proofFields,
  requireSender,
  Sender,
  senderFields,
  senderId,
  senderKind,
  senderSubject,
  senderValue,
  toProof,
  toSender,
} from './sender-fields.ts'
import {
  guessesAreBounded,
  lookUpSender,
  refuseUnregistered,
  requireNoGuesses,
  senderName,
} from './sender-lookup.ts'

const Change = record(
  {
    at: time('When'),
    by: internal(text('By whom')),
    from: nullable(oneOf(storedStates, 'The state before; null: it was registered')),
    to: oneOf(storedStates, 'The state after'),
    validUntil: nullable(time('Until when it may be sent from; null: without end')),
    reason: internal(text('Why')),
    proof: nullable(
      oneOf(proofKinds, 'The proof by which it was registered or approved; null: without one, or not known'),
    ),
    proofIssued: nullable(text('The day that proof was issued')),
    proofReference: internal(nullable(text('Where that proof is kept; null unless it is revealed'))),
  },
  'A change of its state',
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
    'Show the whole number, and to operators the references of the proofs; needs the right _reveal_ and a reason, and is recorded',
  ),
)

const SenderWithHistory = record(
  {
    ...senderFields,
    // The reference may be an operator's own, such as a number in its files. A client knows the one that it has given.
    proofReference: internal(nullable(text('Where the proof is kept; null unless it is revealed'))),
    history: list(Change, 'Changes of its state, the oldest first'),
  },
  'A sender',
  { title: 'SenderDetail' },
)

async function showWithHistory(
  sender: ListedSender,
  isRevealed: boolean,
  { database, audit, services: { encryption } }: RequestContext,
) {
  // Recorded by its id: its number may be a person's.
  if (isRevealed)
    await audit.look({ target: `proof of sender ${sender.kind} ${sender.id}`, account: sender.clientId })
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

/** Each is decided on by a person. */
const maxRequested = 50

/** For a client, which registers senders without the help of an operator. */
async function requireRoom(database: Database, { id }: OwnAccount): Promise<void> {
  if ((await countPending(database, id)) >= maxRequested)
    throw new OperationError(
      'refused',
      `${maxRequested} senders of the account wait for their approval; register more when they are decided on`,
    )
}

function readNew(registration: Registration, allowedKinds: readonly string[] | undefined): Registration {
  try {
    return readRegistration(registration, today(clock.date()), allowedKinds)
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
    summary: 'List senders, the newest first',
    access: reads(),
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
    data: page(Sender, 'Senders'),
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
    summary: 'Show a sender, named by its number or key, with its proof and its history',
    description: `No URL has the number this way. A mobile number, of which lists show the last digits, needs the right _senders_; one that is not registered is recorded, and after ${maxMisses} of them within a minute none is looked up for the rest of it. By its id a sender is shown without that right.`,
    access: looks(),
    action: 'sender show',
    command: {
      arguments: ['account', 'value'],
      examples: ['shop-1 0212345678', 'shop-1 --id 17 --reveal --reason "asked by the account"'],
    },
    body: { account: clientId, ...senderName, reveal },
    data: SenderWithHistory,
    run: async ({ body }, context) => {
      const { key, found } = await lookUpSender(body.account, body, context)
      if (found === null) throw await refuseUnregistered('sender show', body.account, key, context)
      return showWithHistory(found, body.reveal === true, context)
    },
  }),
  defineOperation({
    id: 'showSender',
    method: 'get',
    path: '/admin/v1/accounts/{clientId}/senders/{senderId}',
    tag: 'Senders',
    summary: 'Show a sender with its proof and its history, with former proofs',
    access: looks(),
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
    summary: 'Register a sender of an account; it waits for its approval. A repeat changes nothing',
    description: `A client registers senders, of which ${maxRequested} at most wait for their approval, and an operator decides. ${guessesAreBounded}`,
    access: changes('senders'),
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
      validUntil: Type.Optional(lastDay('without it there is no end')),
      ...proofFields,
    },
    data: record(
      { ...senderFields, changed: flag('false: it was registered already, and nothing has changed') },
      'The sender',
    ),
    run: async ({ params, body }, { database, audit, signed, services: { encryption, config } }) => {
      const { kind = 'number', proof, validUntil } = body
      const value = plainValue(kind, body.value)
      if (signed.account !== null) await requireRoom(database, signed.account)
      const accountId = await requireAccountId(database, params.clientId)
      const key = { accountId, kind, value }
      await requireNoGuesses('sender add', [key], { database, audit, signed })
      const registration = readNew(
        {
          ...key,
          state: 'pending',
          proof: proof === undefined ? null : toProof(proof),
          validUntil: validUntil === undefined ? null : endOf(validUntil),
        },
        config.senderKinds,
      )
      const changed = await audit.change(async (transaction) => {
        const act = audit.actFor('registered')
        const { length } = await registerSenders(transaction, [registration], act, encryption)
        return [length > 0, length === 0 ? null : senderSubject(params.clientId, key)] as const
      })
      return { ...toSender((await findSender(database, key))!), changed }
    },
  }),
  importOperation,
  ...senderDecisions,
]
