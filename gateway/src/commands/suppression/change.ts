/** `postern suppression add`, `remove` and `import`. */
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { text as readStream } from 'node:stream/consumers'
import { clock } from '../../platform/clock.ts'
import { openEncryption } from '../../platform/encryption/encryption.ts'
import { choiceBounds } from '../../trust/suppression/bounds.ts'
import { setChoices, type ChoiceChange } from '../../trust/suppression/changes.ts'
import { keyOf } from '../../trust/suppression/choice-index.ts'
import type { ChoiceState } from '../../trust/suppression/choice.ts'
import type { ReachedBound } from '../../trust/suppression/plan-change.ts'
import { withDatabase } from '../connect.ts'
import { FailedError, UsageError } from '../errors.ts'
import type { Result } from '../result.ts'
import { accountIdOf, readNumbers, type SuppressionInvocation, type SuppressionOptions } from './numbers.ts'

export interface ImportChoicesOptions extends SuppressionOptions {
  readonly state: ChoiceState
  readonly since?: string
  readonly night?: true
}

const batch = 5_000
/** Recipients that the audit log names, by their blind index. A list is known by the hash of its file. */
const maxNamed = 10

export function changeNumbers(
  invocation: SuppressionInvocation,
  given: readonly string[],
  state: ChoiceState,
  options: SuppressionOptions,
): Promise<Result> {
  return change(invocation, { numbers: readNumbers(given, UsageError) }, options, { state })
}

export async function importNumbers(
  invocation: SuppressionInvocation,
  file: string,
  options: ImportChoicesOptions,
): Promise<Result> {
  const { state, since, night = false } = options
  if (night && state !== 'agreed') throw new UsageError('--night needs --state agreed')
  const begin = since === undefined ? undefined : new Date(`${since}T00:00:00+09:00`)
  if (begin !== undefined && begin > clock.date())
    throw new UsageError(`--since must not be after today, in Korea, as ${since} is; nothing is stored`)
  const content = await read(file)
  const lines = content.split(/\r?\n/).filter((line) => line.trim() !== '')
  const given = {
    numbers: readNumbers(lines, FailedError),
    fileSha256: createHash('sha256').update(content).digest('hex'),
  }
  return change(invocation, given, options, { state, night, since: begin })
}

interface Given {
  readonly numbers: readonly string[]
  readonly fileSha256?: string
}

function change(
  invocation: SuppressionInvocation,
  { numbers, ...file }: Given,
  options: SuppressionOptions,
  choice: Omit<ChoiceChange, 'source' | 'reason'>,
): Promise<Result> {
  const { state } = choice
  return withDatabase(invocation, async (database, config, audit) => {
    // Consents open what rules of advertisements refuse.
    if (state === 'agreed') await audit.requireRight('trust')
    const accountId = await accountIdOf(database, options.account)
    const blindIndex = await openEncryption(config).blindIndex(database)
    const store = async (): Promise<number> => {
      const stored = { ...choice, source: 'operator', reason: audit.act.reason } as const
      let changed = 0
      for (let done = 0; done < numbers.length; done += batch) {
        const some = numbers.slice(done, done + batch)
        const result = await setChoices(database, blindIndex, accountId, some, stored)
        changed += result.changed
        if (result.bound !== null) throw refusal(result.bound, state, changed, result.refused)
      }
      return changed
    }
    const recipients = numbers
      .slice(0, maxNamed)
      .map((to) => keyOf(blindIndex, accountId, to).toString('hex'))
    const details = { state, numbers: numbers.length, recipients, ...file }
    const subject = { target: 'recipients', account: options.account ?? null, details }
    const changed = await audit.around(subject, store, (count) => ({ changed: count }))
    return {
      json: { numbers: numbers.length, changed },
      lines: [
        `${numbers.length} numbers, ${changed} changed to ${state}; running processes follow within two seconds`,
      ],
    }
  })
}

function refusal(bound: ReachedBound, state: ChoiceState, changed: number, refused: number): FailedError {
  const reason =
    bound === 'account'
      ? `an account can have at most ${state === 'agreed' ? choiceBounds.agreed : choiceBounds.suppressed} entries of this kind`
      : `the lists of all accounts hold ${choiceBounds.all} entries, which is the most; remove what is not used`
  return new FailedError(
    `${reason}. ${changed} entries are changed; ${refused} or more at the end of the list are not stored`,
  )
}

async function read(file: string): Promise<string> {
  try {
    return file === '-' ? await readStream(process.stdin) : await readFile(file, 'utf8')
  } catch (error) {
    throw new UsageError(`cannot read ${file}: ${(error as Error).message}`)
  }
}
