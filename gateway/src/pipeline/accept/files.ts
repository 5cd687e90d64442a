/**
 * Checks the files that a message refers to: each must exist, belong to the account, not be expired, have been uploaded
 * for this service and meet the requirements of the field that shows it.
 */
import type { Step } from '../../channels/channel.ts'
import type { Issues } from '../../channels/issues.ts'
import { channels } from '../../channels/registry.ts'
import type { FileMetadata } from '../../files/file.ts'
import type { FileLookup } from '../../files/lookup.ts'
import { readReference } from '../../files/references.ts'
import { checkUse } from '../../files/check-use.ts'
import { invalidField } from '../../contract/problem.ts'
import { quote } from '../../contract/quote.ts'
import { clock } from '../../platform/clock.ts'
import type { CheckSteps } from './check-steps.ts'

export function createCheckFiles(lookup: FileLookup, publicFileBase: string): CheckSteps {
  const check = async (...[accountId, { steps }, placeOf, issues]: Parameters<CheckSteps>): Promise<void> => {
    for (const [index, step] of steps.entries()) {
      const references = channels[step.channel].files(step)
      if (references.length === 0) continue
      const together = new Map<string, FileMetadata>()
      for (const { key: text, path, use: serviceType, bytesTogether, ...requirements } of references) {
        if (issues.isSettled()) return
        const reference = readReference(serviceType, publicFileBase, text)
        if (reference === 'carrier') continue
        const field = placeOf(step, index) + path
        if (reference === 'malformed') {
          issues.add(invalidField('A513', field, `${imageReference}, found ${quote(text)}`))
          continue
        }
        const { key } = reference
        const fileUse = { field, serviceType, ...requirements }
        const file = checkUse(await lookup.find(key), accountId, fileUse, clock.date(), issues)
        if (file === null || bytesTogether === undefined) continue
        // The same image on several cards is sent once.
        together.set(key, file)
        checkTotal([...together.values()], bytesTogether, field, issues)
      }
    }
  }
  return (accountId, draft, placeOf, issues) =>
    referToFiles(draft.steps) ? check(accountId, draft, placeOf, issues) : null
}

function referToFiles(steps: readonly Step[]): boolean {
  return steps.some((step) => channels[step.channel].files(step).length > 0)
}

const imageReference = 'must be the imgUrl or the fileKey of an upload, or another http or https address'

function checkTotal(files: readonly FileMetadata[], max: number, field: string, issues: Issues): void {
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0)
  if (bytes <= max) return
  const reason = `all images together must be at most ${max} bytes, found ${bytes} up to this one`
  issues.add(invalidField('A200', field, reason))
}
