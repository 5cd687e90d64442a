/** `postern suppression`. */
import { readFile } from 'node:fs/promises'
import { text as readStream } from 'node:stream/consumers'
import { findAccountId } from '../../accounts/queries.ts'
import { isInternationalRecipient, isRecipient } from '../../channels/numbers.ts'
import type { Database } from '../../platform/database.ts'
import { openEncryption } from '../../platform/encryption/encryption.ts'
import { everyAccount, type ChoiceState } from '../../trust/suppression/choice.ts'
import { findChoice, maxChoices, setChoices, type ChoiceChange } from '../../trust/suppression/queries.ts'
import { noSuchAccount } from '../account/view.ts'
import { withDatabase } from '../connect.ts'
import { FailedError, UsageError } from '../errors.ts'
import type { Invocation } from '../invocation.ts'
import type { Result } from '../result.ts'
import type { SecretSetting } from '../setting-lists.ts'

export interface SuppressionOptions {
  readonly account?: string
}

export interface ImportChoicesOptions extends SuppressionOptions {
  readonly state: ChoiceState
  readonly since?: string
  readonly night?: true
}

const batch = 5_000

type SuppressionInvocation = Invocation<SecretSetting>

export function changeNumbers(
  invocation: SuppressionInvocation,
  given: readonly string[],
  state: ChoiceState,
  options: SuppressionOptions,
): Promise<Result> {
  return change(invocation, readNumbers(given, UsageError), options, { state })
}

export async function importNumbers(
  invocation: SuppressionInvocation,
  file: string,
  options: ImportChoicesOptions,
): Promise<Result> {
  const { state, since, night = false } = options
  if (night && state !== 'agreed') throw new UsageError('--night needs --state agreed')
  const lines = (await read(file)).split(/\r?\n/).filter((line) => line.trim() !== '')
  return change(invocation, readNumbers(lines, FailedError), options, {
    ...{ state, night },
    ...(since === undefined ? {} : { since: new Date(`${since}T00:00:00+09:00`) }),
  })
}

export function showNumber(
  invocation: SuppressionInvocation,
  number: string,
  options: SuppressionOptions,
): Promise<Result> {
  const [to = ''] = readNumbers([number], UsageError)
  return withDatabase(invocation, async (database, config, audit) => {
    const accountId = await idOf(database, options.account)
    const found = await audit.around({ ...subjectOf(options), details: { looked: 1 } }, async () =>
      findChoice(database, await openEncryption(config).blindIndex(database), accountId, to),
    )
    const json = found ?? { state: 'none', night: false, since: null, source: null, reason: null }
    const text =
      found === null
        ? 'nothing is known of the recipient'
        : `${found.state}${found.night ? ', at night too' : ''} since ${found.since.toISOString()} by ${found.source}${found.reason === '' ? '' : `: ${found.reason}`}`
    return { json, lines: [text] }
  })
}

function change(
  invocation: SuppressionInvocation,
  numbers: readonly string[],
  options: SuppressionOptions,
  choice: Omit<ChoiceChange, 'source' | 'reason'>,
): Promise<Result> {
  const { state } = choice
  return withDatabase(invocation, async (database, config, audit) => {
    const accountId = await idOf(database, options.account)
    const store = async (): Promise<number> => {
      const blindIndex = await openEncryption(config).blindIndex(database)
      const stored = { ...choice, source: 'operator', reason: audit.act.reason } as const
      let changed = 0
      for (let done = 0; done < numbers.length; done += batch) {
        const some = numbers.slice(done, done + batch)
        const count = await setChoices(database, blindIndex, accountId, some, stored)
        if (count === null)
          throw new FailedError(
            `the account would have more than ${maxChoices} entries; the first ${done} numbers of the list are stored`,
          )
        changed += count
      }
      return changed
    }
    const details = { state, numbers: numbers.length }
    const changed = await audit.around({ ...subjectOf(options), details }, store, (count) => ({
      changed: count,
    }))
    return {
      json: { numbers: numbers.length, changed },
      lines: [
        `${numbers.length} numbers, ${changed} changed to ${state}; running processes follow within two seconds`,
      ],
    }
  })
}

/** Never with a number. */
function subjectOf({ account }: SuppressionOptions): {
  readonly target: string
  readonly account: string | null
} {
  return { target: 'recipients', account: account ?? null }
}

async function idOf(database: Database, clientId: string | undefined): Promise<number> {
  if (clientId === undefined) return everyAccount
  const id = await findAccountId(database, clientId)
  if (id === null) throw noSuchAccount(clientId)
  return id
}

/** People write numbers with hyphens and spaces. Errors name the line, not the number. */
function readNumbers(given: readonly string[], type: new (message: string) => Error): string[] {
  return given.map((text, index) => {
    const number = text.replace(/^\uFEFF/, '').replaceAll(/[\s()-]/g, '')
    if (isRecipient(number) || isInternationalRecipient(number)) return number
    throw new type(
      `number ${index + 1} is not a recipient: it must be digits that begin with 0, or + and the country code. Nothing is stored`,
    )
  })
}

async function read(file: string): Promise<string> {
  try {
    return file === '-' ? await readStream(process.stdin) : await readFile(file, 'utf8')
  } catch (error) {
    throw new UsageError(`cannot read ${file}: ${(error as Error).message}`)
  }
}
