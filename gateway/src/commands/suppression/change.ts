/** `postern suppression add`, `remove` and `import`. */
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { text as readStream } from 'node:stream/consumers'
import { changeChoices, readNumbers, type ChoiceRequest } from '../../acts/suppression.ts'
import { clock } from '../../platform/clock.ts'
import { openEncryption } from '../../platform/encryption/encryption.ts'
import type { ChoiceState } from '../../trust/suppression/choice.ts'
import { withDatabase } from '../connect.ts'
import { FailedError, UsageError } from '../errors.ts'
import type { Result } from '../result.ts'
import type { SuppressionInvocation, SuppressionOptions } from './numbers.ts'
import { changedResult } from './view.ts'

export interface ImportChoicesOptions extends SuppressionOptions {
  readonly state: ChoiceState
  readonly since?: string
  readonly night?: true
}

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
  { account }: SuppressionOptions,
  choice: ChoiceRequest['choice'],
): Promise<Result> {
  return withDatabase(invocation, async (database, config, audit) => {
    const request = { account, numbers, choice, ...file }
    const changed = await changeChoices(database, audit, openEncryption(config), request)
    return changedResult(numbers.length, changed, choice.state)
  })
}

async function read(file: string): Promise<string> {
  try {
    return file === '-' ? await readStream(process.stdin) : await readFile(file, 'utf8')
  } catch (error) {
    throw new UsageError(`cannot read ${file}: ${(error as Error).message}`)
  }
}
