/** Senders of accounts: list, show, register, and the decisions on them. */
import { Type } from 'typebox'
import { requireAccountId } from '../../acts/accounts.ts'
import { recordRefusal } from '../../acts/rights.ts'
import { notRegistered, registerSender, requireLookup } from '../../acts/senders.ts'
import type { OwnAccount } from '../../operators/queries.ts'
import { hasRight } from '../../operators/rights.ts'
import type { Database } from '../../platform/database.ts'
import { decryptChanges, decryptProof } from '../../trust/senders/proofs.ts'
import {
  countPending,
  findSender,
  listSenders,
  readSenderChanges,
  type SenderChange,
} from '../../trust/senders/queries.ts'
import {
  isMasked,
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
import { changes, defineOperation, looks, reads } from '../operation.ts'
import { AdminProblem } from '../problem.ts'
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
  toSender,
} from './sender-fields.ts'
import { guesses, guessesAreBounded, requireNoGuesses } from './sender-guesses.ts'

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
    ...{ ...change, proof: proof?.kind ?? null, proofIssued: proof?.issued ?? null },
    proofReference: reveal ? (proof?.reference ?? null) : null,
  }
}

/** Each is decided on by a person. */
const maxRequested = 50

/** For a client, which registers senders without the help of an operator. */
async function requireRoom(database: Database, { id }: OwnAccount): Promise<void> {
  if ((await countPending(database, id)) >= maxRequested)
    throw new AdminProblem(
      'refused',
      `${maxRequested} senders of the account wait for their approval; register more when they are decided on`,
    )
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
    summary: 'Find a sender of an account by its number or key, which is in no URL this way',
    description: `A mobile number, of which lists show the last digits, needs the right _senders_; one that is not registered is recorded, and after ${maxMisses} of them within a minute none is looked up for the rest of it. A sender is shown by its id without that right.`,
    access: reads(),
    action: 'sender show',
    body: {
      account: clientId,
      kind: oneOf(senderKinds, 'What it is'),
      value: text('The number or key', { minLength: 1, maxLength: 200 }),
    },
    data: Sender,
    run: async ({ body }, { database, audit, signed }) => {
      const { account, kind } = body
      const value = plainValue(body.kind, body.value)
      const isGuess = isMasked(kind, value)
      if (isGuess) guesses.require(signed.name)
      // Counted, too: each is a row of the audit log.
      if (isGuess && !hasRight(signed.role, 'senders')) guesses.miss(signed.name)
      await requireLookup(audit, kind, value)
      const accountId = await requireAccountId(database, account)
      const found = await findSender(database, { accountId, kind, value })
      if (found !== null) return toSender(found)
      if (isGuess) {
        guesses.miss(signed.name)
        await recordRefusal(database, 'sender show', audit.act, `${kind} that is not registered`, { account })
      }
      throw notRegistered(account, kind, value)
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
    query: {
      reveal: Type.Optional(
        flag(
          'true: show the whole number, and to operators the references of the proofs; needs the right _reveal_ and a reason, and is recorded',
        ),
      ),
    },
    data: record(
      {
        ...senderFields,
        // Also that of an operator, such as a number in its files; a client knows the one that it has given.
        proofReference: internal(nullable(text('Where the proof is kept; null unless it is revealed'))),
        history: list(Change, 'Changes of its state, the oldest first'),
      },
      'A sender',
      { title: 'SenderDetail' },
    ),
    run: async ({ params, query }, { database, audit, services: { encryption } }) => {
      const accountId = await requireAccountId(database, params.clientId)
      const found = await requireSender(database, accountId, params)
      const reveal = query.reveal === true
      // Not by its number, which may be a person's.
      if (reveal)
        await audit.look({ target: `proof of sender ${found.kind} ${found.id}`, account: params.clientId })
      const proof = reveal ? await decryptProof(database, encryption, found, found.proof) : found.proof
      const changed = await readSenderChanges(database, found.id)
      const shown = reveal ? await decryptChanges(database, encryption, found, changed) : changed
      return {
        ...toSender(found),
        ...(reveal ? { value: found.value } : {}),
        proofReference: reveal ? (proof?.reference ?? null) : null,
        history: shown.map((change) => toChange(change, reveal)),
      }
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
    params: { clientId },
    body: {
      kind: oneOf(senderKinds, 'What it is'),
      value: text('The number or key', { minLength: 1, maxLength: 200 }),
      validUntil: Type.Optional(lastDay('without it there is no end')),
      ...proofFields,
    },
    data: record(
      { ...senderFields, changed: flag('false: it was registered already, and nothing has changed') },
      'The sender',
    ),
    run: async ({ params, body }, { database, audit, signed, services: { encryption, config } }) => {
      const { kind, proof, validUntil } = body
      const value = plainValue(kind, body.value)
      if (signed.account !== null) await requireRoom(database, signed.account)
      const accountId = await requireAccountId(database, params.clientId)
      await requireNoGuesses('sender add', [{ accountId, kind, value }], { database, audit, signed })
      const { key, changed } = await registerSender(
        database,
        audit,
        { cipher: encryption, senderKinds: config.senderKinds },
        {
          ...{ clientId: params.clientId, kind, value },
          proof: proof === undefined ? null : { ...proof, issued: proof.issued ?? null },
          validUntil: validUntil === undefined ? null : endOf(validUntil),
        },
      )
      return { ...toSender((await findSender(database, key))!), changed }
    },
  }),
  importOperation,
  ...senderDecisions,
]
