/** `postern suppression add`, `remove` and `import`. */
import {
  changeChoices,
  checkNight,
  readNumbers,
  readSince,
  type ChoiceRequest,
} from '../../acts/suppression.ts'
import { openEncryption } from '../../platform/encryption/encryption.ts'
import type { ChoiceState } from '../../trust/suppression/choice.ts'
import { withDatabase } from '../connect.ts'
import { UsageError } from '../errors.ts'
import type { Result } from '../result.ts'
import type { SuppressionInvocation, SuppressionOptions } from './numbers.ts'
import { readFileNumbers } from './read-file.ts'
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
  checkNight(state, night)
  const begin = readSince(since)
  const { numbers, fileSha256 } = await readFileNumbers(file)
  return change(invocation, { numbers, fileSha256 }, options, { state, night, since: begin })
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
