/** `postern sender add`, `approve`, `reject` and `block`. */
import type { StoredAccount } from '../../accounts/account.ts'
import { clock } from '../../platform/clock.ts'
import type { Config } from '../../platform/config.ts'
import type { Database } from '../../platform/database.ts'
import { changeSender, checkRegistration, registerSenders } from '../../trust/senders/changes.ts'
import { findSender, type SenderKey } from '../../trust/senders/queries.ts'
import type { SenderKind, StoredState } from '../../trust/senders/sender.ts'
import { describeLeft, whileServed, type Condition } from '../account/served.ts'
import { actOf, type ActOptions } from '../act.ts'
import { withDatabase } from '../connect.ts'
import { FailedError, UsageError } from '../errors.ts'
import type { Result } from '../result.ts'
import { endOfDay, readProof, readValue, today, type ProofOptions } from './values.ts'
import { notRegistered, senderJson } from './view.ts'

export interface ChangeOptions extends ActOptions, ProofOptions {
  readonly kind: SenderKind
  readonly validUntil?: string
}

const states: Readonly<Record<'approve' | 'reject' | 'block', StoredState>> = {
  approve: 'active',
  reject: 'rejected',
  block: 'blocked',
}

export async function addSender(clientId: string, given: string, options: ChangeOptions): Promise<Result> {
  const { kind } = options
  const value = readValue(kind, given)
  const proof = readProof(options)
  const registration = {
    ...{ kind, value, proof, state: 'pending' as const },
    validUntil: readEnd(options.validUntil) ?? null,
  }
  return withSender(clientId, { kind, value }, async (database, key, { senderKinds }) => {
    refuse(UsageError, () => checkRegistration(registration, today(clock.date()), senderKinds))
    const changed = await registerSenders(
      database,
      [{ ...key, ...registration }],
      actOf(options, 'registered'),
    )
    return describe(
      database,
      key,
      changed === 0 ? 'is registered already; nothing has changed' : 'is registered',
    )
  })
}

export async function changeState(
  clientId: string,
  given: string,
  change: 'approve' | 'reject' | 'block',
  options: ChangeOptions,
): Promise<Result> {
  const { kind } = options
  const value = readValue(kind, given)
  const proof = readProof(options)
  const condition = change === 'block' ? 'served or left' : 'served'
  const work: SenderWork = async (database, key, _config, account) => {
    const changed = await changeSender(database, key, {
      ...{ to: states[change], today: today(clock.date()) },
      ...(proof === null ? {} : { proof }),
      validUntil: readEnd(options.validUntil),
      act: actOf(options, change),
    }).catch((error: unknown) => {
      if (error instanceof Error && error.constructor === Error) throw new FailedError(error.message)
      throw error
    })
    if (changed === null) throw notRegistered(clientId, kind, value)
    const result = await describe(
      database,
      key,
      `${changed.from ?? 'not registered'} → ${states[change]}; running processes follow within two seconds`,
    )
    return { ...result, lines: [...result.lines, ...describeLeft(account)] }
  }
  return withSender(clientId, { kind, value }, work, condition)
}

function readEnd(text: string | undefined): Date | null | undefined {
  if (text === undefined) return undefined
  return text === 'open' ? null : endOfDay(text)
}

type SenderWork = (
  database: Database,
  key: SenderKey,
  config: Config,
  account: StoredAccount,
) => Promise<Result>

/** Of an account that this cell serves. */
function withSender(
  clientId: string,
  sender: Omit<SenderKey, 'accountId'>,
  work: SenderWork,
  condition: Condition = 'served',
): Promise<Result> {
  return withDatabase((database, config) =>
    whileServed(
      database,
      [clientId],
      ([account]) => work(database, { accountId: account!.id, ...sender }, config, account!),
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
