/** The commands of `postern suppression` over the admin API. */
import { asOption } from '../../acts/names.ts'
import { readImported, readNumbers } from '../../acts/suppression.ts'
import { UsageError } from '../errors.ts'
import type { AdminClient } from '../client/client.ts'
import { sendChunks } from '../client/chunks.ts'
import type { Result } from '../result.ts'
import { readFileNumbers } from './read-file.ts'
import { changedResult, importedResult, recipientResult } from './view.ts'
import type { ChoiceState } from '../../trust/suppression/choice.ts'

export interface ImportChoicesOptions extends SuppressionOptions {
  readonly state: ChoiceState
  readonly since?: string
  readonly night?: true
}

export interface SuppressionOptions {
  readonly account?: string
}

/** The most that the admin API takes at once. */
const maxNumbers = 1_000

export async function changeNumbers(
  admin: AdminClient,
  verb: 'add' | 'remove',
  given: readonly string[],
  { account }: SuppressionOptions,
): Promise<Result> {
  const recipients = readNumbers(given, UsageError)
  if (recipients.length > maxNumbers)
    throw new UsageError(`${recipients.length} numbers are more than ${maxNumbers}; give fewer at a time`)
  const { changed } = await admin.call(`${verb}Suppression`, {
    body: { account, recipients, ...admin.requireReason() },
  })
  return changedResult(recipients.length, changed, verb === 'add' ? 'suppressed' : 'none')
}

export async function showNumber(
  admin: AdminClient,
  number: string,
  { account }: SuppressionOptions,
): Promise<Result> {
  const [recipient = ''] = readNumbers([number], UsageError)
  return recipientResult(
    await admin.call('showSuppression', { body: { account, recipient, ...admin.requireReason() } }),
  )
}

/** The whole file is checked before the first request. Every request of more numbers than are named is recorded with the hash of the file. */
export async function importNumbers(
  admin: AdminClient,
  file: string,
  options: ImportChoicesOptions,
  progress?: (text: string) => void,
): Promise<Result> {
  readImported(options, asOption)
  const { account, state, since, night = false } = options
  const { numbers, fileSha256 } = await readFileNumbers(file)
  const common = { account, state, since, night, fileSha256, ...admin.requireReason() }
  const sum = { changed: 0, kept: 0 }
  await sendChunks({
    ...{ items: numbers, size: maxNumbers, what: 'numbers', progress },
    send: async (recipients) => {
      const body = { ...common, recipients: [...recipients] }
      const { changed, kept } = await admin.call('importSuppression', { body })
      sum.changed += changed
      sum.kept += kept
    },
  })
  return importedResult(numbers.length, sum, state)
}
