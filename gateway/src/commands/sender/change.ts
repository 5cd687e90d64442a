/** `postern sender add`, `approve`, `reject` and `block`. */
import type { StoredAccount } from '../../accounts/account.ts'
import { clock } from '../../platform/clock.ts'
import type { Config } from '../../platform/config.ts'
import type { Database } from '../../platform/database.ts'
import type { FieldCipher } from '../../platform/encryption/field-cipher.ts'
import { changeSender, checkRegistration, registerSenders } from '../../trust/senders/changes.ts'
import { findSender, type SenderKey } from '../../trust/senders/queries.ts'
import type { SenderKind, StoredState } from '../../trust/senders/sender.ts'
import { describeLeft, whileServed, type Condition } from '../account/served.ts'
import type { CommandAudit } from '../command-audit.ts'
import { withSecrets } from '../connect.ts'
import { FailedError, UsageError } from '../errors.ts'
import type { Invocation } from '../invocation.ts'
import type { Result } from '../result.ts'
import type { SecretSetting } from '../setting-lists.ts'
import { endOfDay, readProof, readValue, today, type ProofOptions } from './values.ts'
import { notRegistered, senderJson } from './view.ts'

export interface ChangeOptions extends ProofOptions {
  readonly kind: SenderKind
  readonly validUntil?: string
}

const states: Readonly<Record<'approve' | 'reject' | 'block', StoredState>> = {
  approve: 'active',
  reject: 'rejected',
  block: 'blocked',
}

export async function addSender(
  invocation: Invocation<'senderKinds' | SecretSetting>,
  clientId: string,
  given: string,
  options: ChangeOptions,
): Promise<Result> {
  const { kind } = options
  const value = readValue(kind, given)
  const proof = readProof(options)
  const registration = {
    ...{ kind, value, proof, state: 'pending' as const },
    validUntil: readEnd(options.validUntil) ?? null,
  }
  const work: SenderWork = async ({ database, key, config, cipher, audit }) => {
    refuse(UsageError, () => checkRegistration(registration, today(clock.date()), config.senderKinds))
    const changed = await audit.change(async (transaction) => {
      const registrations = [{ ...key, ...registration }]
      const count = await registerSenders(transaction, registrations, audit.actFor('registered'), cipher)
      return [count, count === 0 ? null : subjectOf(clientId, kind, value)]
    })
    return describe(
      database,
      key,
      changed === 0 ? 'is registered already; nothing has changed' : 'is registered',
    )
  }
  return withSender(invocation, clientId, { kind, value }, work)
}

export async function changeState(
  invocation: Invocation<'senderKinds' | SecretSetting>,
  clientId: string,
  given: string,
  change: 'approve' | 'reject' | 'block',
  options: ChangeOptions,
): Promise<Result> {
  const { kind } = options
  const value = readValue(kind, given)
  const proof = readProof(options)
  const condition = change === 'block' ? 'served or left' : 'served'
  const work: SenderWork = async ({ database, key, account, cipher, audit }) => {
    const { from } = await audit
      .change(async (transaction) => {
        const changed = await changeSender(
          transaction,
          key,
          {
            ...{ to: states[change], today: today(clock.date()) },
            ...(proof === null ? {} : { proof }),
            validUntil: readEnd(options.validUntil),
            act: audit.actFor(change),
          },
          cipher,
        )
        if (changed === null) throw notRegistered(clientId, kind, value)
        // A block is a stop: whoever lifts it, also in two steps, needs the right to set one.
        if (changed.from === 'blocked' && change !== 'block') await audit.requireRight('block')
        const details = { from: changed.from, to: states[change], proof: proof?.kind ?? null }
        return [changed, { ...subjectOf(clientId, kind, value), details }] as const
      })
      .catch((error: unknown) => {
        if (error instanceof Error && error.constructor === Error) throw new FailedError(error.message)
        throw error
      })
    const result = await describe(
      database,
      key,
      `${from ?? 'not registered'} → ${states[change]}; running processes follow within two seconds`,
    )
    return { ...result, lines: [...result.lines, ...describeLeft(account)] }
  }
  return withSender(invocation, clientId, { kind, value }, work, condition)
}

/** A sender's own number or id is not of a recipient, and is shown whole. */
function subjectOf(clientId: string, kind: SenderKind, value: string): { target: string; account: string } {
  return { target: `${kind} ${value}`, account: clientId }
}

function readEnd(text: string | undefined): Date | null | undefined {
  if (text === undefined) return undefined
  return text === 'open' ? null : endOfDay(text)
}

interface SenderContext {
  readonly database: Database
  readonly key: SenderKey
  readonly config: Pick<Config, 'senderKinds'>
  readonly account: StoredAccount
  readonly cipher: FieldCipher
  readonly audit: CommandAudit
}

type SenderWork = (context: SenderContext) => Promise<Result>

/** Of an account that this cell serves. */
function withSender(
  invocation: Invocation<'senderKinds' | SecretSetting>,
  clientId: string,
  sender: Omit<SenderKey, 'accountId'>,
  work: SenderWork,
  condition: Condition = 'served',
): Promise<Result> {
  return withSecrets(invocation, (database, config, cipher, audit) =>
    whileServed(
      database,
      [clientId],
      ([account]) => {
        const key = { accountId: account!.id, ...sender }
        return work({ database, key, config, account: account!, cipher, audit })
      },
      condition,
    ),
  )
}

async function describe(database: Database, key: SenderKey, what: string): Promise<Result> {
  const sender = (await findSender(database, key))!
  const json = senderJson(sender, clock.now())
  return {
    json,
    lines: [`${sender.clientId}: ${sender.kind} ${sender.value}: ${what}`, `state: ${json.state}`],
  }
}

export function refuse<T>(type: new (message: string) => Error, check: () => T): T {
  try {
    return check()
  } catch (error) {
    throw new type((error as Error).message)
  }
}
