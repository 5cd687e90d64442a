/** Implements `postern suppression import`. The whole file is checked before the first request. */
import { readNumbers } from '../../operations/suppression/suppression.ts'
import type { ChoiceState } from '../../trust/suppression/choice.ts'
import { sendChunks } from '../client/chunks.ts'
import type { AdminClient } from '../client/client.ts'
import { readInput } from '../read-input.ts'
import { renderData } from '../render.ts'
import type { Result } from '../result.ts'

export interface SuppressionImportOptions {
  readonly account?: string
  readonly state: ChoiceState
  readonly since?: string
  readonly night?: true
}

/** Maximum number of recipients per request. */
const maxNumbers = 1_000

export async function importNumbers(
  admin: AdminClient,
  file: string,
  { account, state, since, night }: SuppressionImportOptions,
  progress?: (text: string) => void,
): Promise<Result> {
  const { content, sha256: fileSha256 } = await readInput(file)
  const lines = content.split(/\r?\n/).filter((line) => line.trim() !== '')
  const numbers = readNumbers(lines)
  const common = { account, state, since, night, fileSha256, ...admin.requireReason() }
  const json = { numbers: numbers.length, changed: 0, kept: 0 }
  await sendChunks({
    items: numbers,
    size: maxNumbers,
    itemName: 'numbers',
    progress,
    send: async (recipients) => {
      const body = { ...common, recipients: [...recipients] }
      const { changed, kept } = await admin.call('importSuppression', { body })
      json.changed += changed
      json.kept += kept
    },
  })
  const next = 'Kept entries are newer; show one with `postern suppression show`.'
  return { json, lines: [...renderData(json), ...(json.kept === 0 ? [] : [next])] }
}
