/** `postern suppression add`, `remove` and `import`. */
import { asOption } from '../../acts/names.ts'
import {
  changeChoices,
  readImported,
  readNumbers,
  type ChangedEntries,
  type ChoiceRequest,
} from '../../acts/suppression.ts'
import { openEncryption } from '../../platform/encryption/encryption.ts'
import type { ChoiceState } from '../../trust/suppression/choice.ts'
import { withDatabase } from '../connect.ts'
import { UsageError } from '../errors.ts'
import type { Result } from '../result.ts'
import type { SuppressionInvocation, SuppressionOptions } from './numbers.ts'
import { readFileNumbers } from './read-file.ts'
import { changedResult, importedResult } from './view.ts'

export interface ImportChoicesOptions extends SuppressionOptions {
  readonly state: ChoiceState
  readonly since?: string
  readonly night?: true
}

export async function changeNumbers(
  invocation: SuppressionInvocation,
  given: readonly string[],
  state: ChoiceState,
  { account }: SuppressionOptions,
): Promise<Result> {
  const numbers = readNumbers(given, UsageError)
  const { changed } = await change(invocation, { account, numbers, choice: { state } })
  return changedResult(numbers.length, changed, state)
}

export async function importNumbers(
  invocation: SuppressionInvocation,
  file: string,
  options: ImportChoicesOptions,
): Promise<Result> {
  const choice = readImported(options, asOption)
  const { numbers, fileSha256 } = await readFileNumbers(file)
  const entries = await change(invocation, { account: options.account, numbers, choice, fileSha256 })
  return importedResult(numbers.length, entries, choice.state)
}

function change(invocation: SuppressionInvocation, request: ChoiceRequest): Promise<ChangedEntries> {
  return withDatabase(invocation, (database, config, audit) =>
    changeChoices(database, audit, openEncryption(config), request),
  )
}
