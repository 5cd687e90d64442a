/** `postern sender add`, `approve`, `reject` and `block`. */
import { decidedStates, decideSender, registerSender, type SenderDecision } from '../../acts/senders.ts'
import { endOfDay } from '../../acts/days.ts'
import { clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/database.ts'
import { findSender, type SenderKey } from '../../trust/senders/queries.ts'
import { plainValue, type SenderKind } from '../../trust/senders/sender.ts'
import { withSecrets } from '../connect.ts'
import type { Invocation } from '../invocation.ts'
import type { Result } from '../result.ts'
import type { SecretSetting } from '../setting-lists.ts'
import { readProof, type ProofOptions } from './values.ts'
import { decidedResult, registeredResult, senderJson, type ShownSender } from './view.ts'

export interface ChangeOptions extends ProofOptions {
  readonly kind: SenderKind
  readonly validUntil?: string
}

export async function addSender(
  invocation: Invocation<'senderKinds' | SecretSetting>,
  clientId: string,
  given: string,
  options: ChangeOptions,
): Promise<Result> {
  const { kind } = options
  const value = plainValue(kind, given)
  const proof = readProof(options)
  return withSecrets(invocation, async (database, { senderKinds }, cipher, audit) => {
    const sender = { clientId, kind, value, proof, validUntil: readEnd(options.validUntil) ?? null }
    const { key, changed } = await registerSender(database, audit, { cipher, senderKinds }, sender)
    return registeredResult(value, await readShown(database, key), changed)
  })
}

export async function changeState(
  invocation: Invocation<'senderKinds' | SecretSetting>,
  clientId: string,
  given: string,
  decision: SenderDecision,
  options: ChangeOptions,
): Promise<Result> {
  const { kind } = options
  const value = plainValue(kind, given)
  const proof = readProof(options)
  return withSecrets(invocation, async (database, _config, cipher, audit) => {
    const { key, from } = await decideSender(database, audit, cipher, {
      ...{ clientId, kind, value, decision, proof },
      validUntil: readEnd(options.validUntil),
    })
    const sender = await readShown(database, key)
    return decidedResult(value, sender, from, decidedStates[decision])
  })
}

function readEnd(text: string | undefined): Date | null | undefined {
  if (text === undefined) return undefined
  return text === 'open' ? null : endOfDay(text)
}

async function readShown(database: Database, key: SenderKey): Promise<ShownSender> {
  return senderJson((await findSender(database, key))!, clock.now())
}

export function refuse<T>(type: new (message: string) => Error, check: () => T): T {
  try {
    return check()
  } catch (error) {
    throw new type((error as Error).message)
  }
}
