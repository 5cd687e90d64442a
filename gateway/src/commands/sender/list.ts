/** `postern sender list` and `postern sender show`. */
import { clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/database.ts'
import type { FieldCipher } from '../../platform/encryption/field-cipher.ts'
import { decryptChanges, decryptProof } from '../../trust/senders/proofs.ts'
import { findSender, listSenders, readSenderChanges, type ListedSender } from '../../trust/senders/queries.ts'
import { plainValue, type SenderKind, type SenderState } from '../../trust/senders/sender.ts'
import { requireAccountId } from '../account/view.ts'
import { withSecrets } from '../connect.ts'
import type { Invocation } from '../invocation.ts'
import type { Result } from '../result.ts'
import type { SecretSetting } from '../setting-lists.ts'
import { notRegistered, requireLookup } from '../../acts/senders.ts'
import { changeJson, senderJson, senderResult, sendersResult } from './view.ts'

export interface ListOptions {
  readonly kind?: SenderKind
  readonly state?: SenderState
  readonly limit?: number
  readonly reveal?: boolean
}

export async function listAll(
  invocation: Invocation<SecretSetting>,
  clientId: string | undefined,
  options: ListOptions,
): Promise<Result> {
  const { kind, state, limit = 1_000, reveal = false } = options
  const found = await withSecrets(invocation, async (database, _config, cipher, audit) => {
    if (clientId !== undefined) await requireAccountId(database, clientId)
    const listed = await listSenders(database, { clientId, kind, state, limit: limit + 1 })
    const details = { count: Math.min(limit, listed.length) }
    if (!reveal) return listed
    await audit.look({ target: 'numbers and proofs of senders', account: clientId ?? null, details })
    return Promise.all(listed.map((sender) => withProof(database, cipher, sender)))
  })
  return sendersResult(
    found.map((sender) => senderJson(sender, clock.now(), reveal)),
    limit,
  )
}

export async function showSender(
  invocation: Invocation<SecretSetting>,
  clientId: string,
  given: string,
  options: ListOptions,
): Promise<Result> {
  const { kind = 'number', reveal = false } = options
  const value = plainValue(kind, given)
  return withSecrets(invocation, async (database, _config, cipher, audit) => {
    await requireLookup(audit, kind, value)
    const accountId = await requireAccountId(database, clientId)
    const stored = await findSender(database, { accountId, kind, value })
    if (stored === null) throw notRegistered(clientId, kind, value)
    if (reveal) await audit.look({ target: `proof of ${kind} ${value}`, account: clientId })
    const found = reveal ? await withProof(database, cipher, stored) : stored
    const changes = await readSenderChanges(database, found.id)
    const shown = reveal ? await decryptChanges(database, cipher, found, changes) : changes
    return senderResult(
      value,
      senderJson(found, clock.now(), reveal),
      shown.map((change) => changeJson(change, reveal)),
    )
  })
}

/** Only what is shown is decrypted, so that a list without proofs needs no master key. */
async function withProof(
  database: Database,
  cipher: FieldCipher,
  sender: ListedSender,
): Promise<ListedSender> {
  return { ...sender, proof: await decryptProof(database, cipher, sender, sender.proof) }
}
