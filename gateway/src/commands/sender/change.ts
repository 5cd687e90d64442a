/** `postern sender add`, `approve`, `reject` and `block`. */
import type { ActAudit } from '../../acts/act-audit.ts'
import { decidedStates, decideSender, senderSubject, today, type SenderDecision } from '../../acts/senders.ts'
import { describeLeft, whileServed } from '../../acts/served.ts'
import { clock } from '../../platform/clock.ts'
import type { Config } from '../../platform/config.ts'
import type { Database } from '../../platform/database.ts'
import type { FieldCipher } from '../../platform/encryption/field-cipher.ts'
import { checkRegistration, registerSenders } from '../../trust/senders/register.ts'
import { findSender, type SenderKey } from '../../trust/senders/queries.ts'
import type { SenderKind } from '../../trust/senders/sender.ts'
import { withSecrets } from '../connect.ts'
import { UsageError } from '../errors.ts'
import type { Invocation } from '../invocation.ts'
import type { Result } from '../result.ts'
import type { SecretSetting } from '../setting-lists.ts'
import { endOfDay, readProof, readValue, type ProofOptions } from './values.ts'
import { senderJson } from './view.ts'

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
      return [count, count === 0 ? null : senderSubject(clientId, kind, value)]
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
  decision: SenderDecision,
  options: ChangeOptions,
): Promise<Result> {
  const { kind } = options
  const value = readValue(kind, given)
  const proof = readProof(options)
  return withSecrets(invocation, async (database, _config, cipher, audit) => {
    const { account, key, from } = await decideSender(database, audit, cipher, {
      ...{ clientId, kind, value, decision, proof },
      validUntil: readEnd(options.validUntil),
    })
    const result = await describe(
      database,
      key,
      `${from ?? 'not registered'} → ${decidedStates[decision]}; running processes follow within two seconds`,
    )
    return { ...result, lines: [...result.lines, ...describeLeft(account)] }
  })
}

function readEnd(text: string | undefined): Date | null | undefined {
  if (text === undefined) return undefined
  return text === 'open' ? null : endOfDay(text)
}

interface SenderContext {
  readonly database: Database
  readonly key: SenderKey
  readonly config: Pick<Config, 'senderKinds'>
  readonly cipher: FieldCipher
  readonly audit: ActAudit
}

type SenderWork = (context: SenderContext) => Promise<Result>

/** Of an account that this cell serves. */
function withSender(
  invocation: Invocation<'senderKinds' | SecretSetting>,
  clientId: string,
  sender: Omit<SenderKey, 'accountId'>,
  work: SenderWork,
): Promise<Result> {
  return withSecrets(invocation, (database, config, cipher, audit) =>
    whileServed(database, [clientId], ([account]) =>
      work({ database, key: { accountId: account!.id, ...sender }, config, cipher, audit }),
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
