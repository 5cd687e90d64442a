/** The commands of senders over the admin API. */
import type { Data, AdminClient, Item } from '../client/client.ts'
import type { Result } from '../result.ts'
import { plainValue } from '../../trust/senders/sender.ts'
import { readProof } from './values.ts'
import {
  decidedResult,
  hidden,
  registeredResult,
  senderResult,
  sendersResult,
  type ShownChange,
  type ShownSender,
} from './view.ts'
import type { ProofOptions } from './values.ts'
import type { SenderKind, SenderState } from '../../trust/senders/sender.ts'

export interface ListOptions {
  readonly kind?: SenderKind
  readonly state?: SenderState
  readonly limit?: number
}

export interface ShowOptions {
  readonly kind?: SenderKind
  readonly reveal?: boolean
}

export interface ChangeOptions extends ProofOptions {
  readonly kind: SenderKind
  readonly validUntil?: string
}

/** `reference`: where the proof is kept, if it was revealed. */
function toShown(sender: Item<'listSenders'>, reference = hidden): ShownSender {
  const { account: clientId, kind, value, state, validUntil, proof, proofIssued } = sender
  const { createdAt, updatedAt } = sender
  return {
    ...{ clientId, kind, value, state, validUntil, createdAt, updatedAt },
    proof: proof === null ? null : { kind: proof, reference, issued: proofIssued },
  }
}

export async function listAll(
  admin: AdminClient,
  account: string | undefined,
  { kind, state, limit = 1_000 }: ListOptions,
): Promise<Result> {
  const found = await admin.readAll(
    (page) => admin.call('listSenders', { query: { ...page, account, kind, state } }),
    limit + 1,
  )
  return sendersResult(
    found.map((sender) => toShown(sender)),
    limit,
  )
}

export async function showSender(
  admin: AdminClient,
  clientId: string,
  given: string,
  { kind = 'number', reveal = false }: ShowOptions,
): Promise<Result> {
  const value = plainValue(kind, given)
  const { id: senderId } = await admin.call('findSender', { body: { account: clientId, kind, value } })
  const query = reveal ? { reveal, ...admin.reason } : {}
  const found = await admin.call('showSender', { params: { clientId, senderId }, query })
  return senderResult(value, toShown(found, found.proofReference ?? hidden), found.history.map(toChange))
}

function toChange(change: Data<'showSender'>['history'][number]): ShownChange {
  const { proof, proofReference, proofIssued, ...rest } = change
  return {
    ...rest,
    proof: proof === null ? null : { kind: proof, reference: proofReference ?? hidden, issued: proofIssued },
  }
}

export async function addSender(
  admin: AdminClient,
  clientId: string,
  given: string,
  options: ChangeOptions,
): Promise<Result> {
  const { kind, validUntil: end } = options
  const value = plainValue(kind, given)
  const body = {
    ...{ kind, value, ...proofOf(options), ...admin.reason },
    ...(end === undefined || end === 'open' ? {} : { validUntil: end }),
  }
  const added = await admin.call('addSender', { params: { clientId }, body })
  return registeredResult(value, toShown(added), added.changed)
}

export async function changeState(
  admin: AdminClient,
  clientId: string,
  given: string,
  decision: 'approve' | 'reject' | 'block',
  options: ChangeOptions,
): Promise<Result> {
  const { kind } = options
  const value = plainValue(kind, given)
  const decided = await decide(admin, { account: clientId, kind, value }, decision, options)
  const { from, ...sender } = decided
  const to = { approve: 'active', reject: 'rejected', block: 'blocked' }[decision]
  return decidedResult(value, toShown(sender), from, to)
}

async function decide(
  admin: AdminClient,
  sender: { readonly account: string; readonly kind: SenderKind; readonly value: string },
  decision: 'approve' | 'reject' | 'block',
  options: ChangeOptions,
): Promise<Data<'approveSender'>> {
  if (decision === 'block')
    return admin.call('blockSenderByValue', { body: { ...sender, ...admin.requireReason() } })
  const { id: senderId, updatedAt } = await admin.call('findSender', { body: sender })
  const params = { clientId: sender.account, senderId }
  if (decision === 'reject') return admin.call('rejectSender', { params, body: admin.requireReason() })
  const { validUntil: end } = options
  const validUntil = end === 'open' ? null : end
  // Refused when the account has replaced the proof since.
  const body = { ...proofOf(options), validUntil, updatedAt, ...admin.reason }
  return admin.call('approveSender', { params, body })
}

function proofOf(options: ChangeOptions) {
  const proof = readProof(options)
  if (proof === null) return {}
  const { kind, reference, issued } = proof
  return { proof: { kind, reference, ...(issued === null ? {} : { issued }) } }
}
