/** Approves, rejects and blocks senders of accounts, for commands and the admin API. */
import { clock } from '../platform/clock.ts'
import type { Database } from '../platform/database.ts'
import type { FieldCipher } from '../platform/encryption/field-cipher.ts'
import { changeSender } from '../trust/senders/changes.ts'
import type { SenderKey } from '../trust/senders/queries.ts'
import { readRegistration, registerSenders, type Registration } from '../trust/senders/register.ts'
import { isMasked, type Proof, type SenderKind, type StoredState } from '../trust/senders/sender.ts'
import { requireAccountId } from './accounts.ts'
import type { ActAudit } from './act-audit.ts'
import { FailedError, NotFoundError, StaleError, UsageError } from './errors.ts'
import { requireOtherRegistrant } from './second-operator.ts'

export type SenderDecision = 'approve' | 'reject' | 'block'

export const decidedStates: Readonly<Record<SenderDecision, StoredState>> = {
  approve: 'active',
  reject: 'rejected',
  block: 'blocked',
}

export interface SenderRequest {
  readonly clientId: string
  readonly kind: SenderKind
  readonly value: string
  readonly decision: SenderDecision
  readonly proof: Proof | null
  /** Null: without end. Undefined: stays as it is. */
  readonly validUntil?: Date | null | undefined
  /** When it was last changed, as it was shown to whoever decides: the account may have replaced the proof since. */
  readonly shownAs?: Date | undefined
}

export interface Decided {
  readonly key: SenderKey
  /** Null where it was not registered. */
  readonly from: StoredState | null
}

export interface NewSender {
  readonly clientId: string
  readonly kind: SenderKind
  readonly value: string
  readonly proof: Proof | null
  readonly validUntil: Date | null
}

/** Registers a sender, which waits for its approval. `changed` is false if it was registered before. */
export async function registerSender(
  database: Database,
  audit: ActAudit,
  {
    cipher,
    senderKinds,
  }: { readonly cipher: FieldCipher; readonly senderKinds: readonly string[] | undefined },
  { clientId, ...sender }: NewSender,
): Promise<{ readonly key: SenderKey; readonly changed: boolean }> {
  const { kind, value } = sender
  const key = { accountId: await requireAccountId(database, clientId), kind, value }
  const registration = readNew({ ...key, ...sender, state: 'pending' }, senderKinds)
  const changed = await audit.change(async (transaction) => {
    const act = audit.actFor('registered')
    const { length } = await registerSenders(transaction, [registration], act, cipher)
    return [length > 0, length === 0 ? null : senderSubject(clientId, kind, value)] as const
  })
  return { key, changed }
}

function readNew(registration: Registration, senderKinds: readonly string[] | undefined): Registration {
  try {
    return readRegistration(registration, today(clock.date()), senderKinds)
  } catch (error) {
    throw new UsageError((error as Error).message)
  }
}

export async function decideSender(
  database: Database,
  audit: ActAudit,
  cipher: FieldCipher,
  { clientId, kind, value, decision, proof, validUntil, shownAs }: SenderRequest,
): Promise<Decided> {
  const key = { accountId: await requireAccountId(database, clientId), kind, value }
  const from = await audit
    .change(async (transaction) => {
      const changed = await changeSender(
        transaction,
        key,
        {
          ...{ to: decidedStates[decision], today: today(clock.date()) },
          ...(proof === null ? {} : { proof }),
          validUntil,
          act: audit.actFor(decision),
        },
        cipher,
      )
      if (changed === null) throw notRegistered(clientId, kind, value)
      if (shownAs !== undefined && changed.before?.getTime() !== shownAs.getTime())
        throw new StaleError(
          'the sender has changed since it was shown; look at it and its proof again, then decide',
        )
      // A block is a stop: whoever lifts it, also in two steps, needs the right to set one.
      if (changed.from === 'blocked' && decision !== 'block') await audit.requireRight('block')
      if (decision === 'approve') await requireOtherRegistrant(transaction, audit, [key])
      const details = { from: changed.from, to: decidedStates[decision], proof: proof?.kind ?? null }
      return [changed.from, { ...senderSubject(clientId, kind, value), details }] as const
    })
    .catch((error: unknown) => {
      if (error instanceof Error && error.constructor === Error) throw new FailedError(error.message)
      throw error
    })
  return { key, from }
}

/**
 * Before a sender is looked up by its number or key. Whoever sees the last digits of a mobile number could try all others; a viewer shows
 * such a sender by its id.
 */
export async function requireLookup(audit: ActAudit, kind: SenderKind, value: string): Promise<void> {
  if (isMasked(kind, value)) await audit.requireRight('senders')
}

/** A sender's own number or id is not of a recipient, and is shown whole. */
export function senderSubject(
  clientId: string,
  kind: SenderKind,
  value: string,
): { target: string; account: string } {
  return { target: `${kind} ${value}`, account: clientId }
}

export function notRegistered(clientId: string, kind: SenderKind, value: string): NotFoundError {
  return new NotFoundError(
    `${kind} '${value}' is not registered for '${clientId}'; \`postern sender add\` registers it, \`postern sender list ${clientId}\` lists what is`,
  )
}

/** The day in Korea. */
export function today(now: Date): string {
  return new Date(now.getTime() + 9 * 3_600_000).toISOString().slice(0, 10)
}
