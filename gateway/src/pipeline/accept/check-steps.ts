/**
 * Checks of a draft that need more than its content: the trust rules, the kinds of RCS templates and the uploaded files. Sends and
 * dry runs apply them to the draft of each destination.
 */
import type { Draft, Step } from '../../channels/channel.ts'
import type { Issues } from '../../channels/issues.ts'
import type { Entry } from '../../channels/rcs/entry.ts'
import { checkTemplate } from '../../channels/rcs/template.ts'
import { channels } from '../../channels/registry.ts'
import { FieldProblem, invalidField } from '../../contract/problem.ts'
import { quote } from '../../contract/quote.ts'
import { checkUse } from '../../files/check-use.ts'
import type { FileMetadata } from '../../files/file.ts'
import type { FileLookup } from '../../files/lookup.ts'
import { readReference } from '../../files/references.ts'
import { clock } from '../../platform/clock.ts'
import type { RouteTable } from '../../routes/table.ts'
import type { Hold } from '../../trust/abuse/draft-counting.ts'
import type { Policy } from '../../trust/policy.ts'
import type { RuleEffect } from '../../trust/rule-group.ts'

/** Returns the path before the fields of a step. */
export type StepPath = (step: Step, index: number) => string

export type CheckedDraft = Pick<Draft, 'to' | 'steps' | 'sendAt' | 'heldBy'> & {
  /** Collects what trust rules will do with the accepted message. Only dry runs have it. */
  readonly effects?: RuleEffect[]
}

export type CheckSteps = (
  accountId: number,
  draft: CheckedDraft,
  stepPath: StepPath,
  issues: Issues,
) => Promise<void>

export interface CheckContext {
  readonly policy: Pick<Policy, 'judgeDraft'>
  /** Knows the kinds of RCS templates. Absent where clients cannot send RCS. */
  readonly routes?: Pick<RouteTable, 'templates'>
  readonly files: FileLookup
  readonly publicFileBase: string
}

export function createCheckSteps({ policy, routes, files, publicFileBase }: CheckContext): CheckSteps {
  return async (accountId, draft, stepPath, issues) => {
    const { steps, effects } = draft
    policy.judgeDraft(accountId, {
      draft,
      placeOf: stepPath,
      issues,
      hold: createHold(draft),
      ...(effects && { note: (effect) => void effects.push(effect) }),
    })
    for (const [index, step] of steps.entries()) checkTemplateKind(step, stepPath(step, index))
    // Files may have to be read from PostgreSQL, so they are checked last.
    for (const [index, step] of steps.entries()) await checkFiles(step, stepPath(step, index))

    /** A template whose kind no operator has set has the loosest limits, which its channel checks. */
    function checkTemplateKind(step: Step, at: string): void {
      if (step.channel !== 'rcs') return
      const entry = step.content as Entry
      const kind = routes?.templates.get(entry.formatId)
      if (kind === undefined) return
      const reported = issues.all.flatMap((problem) =>
        problem instanceof FieldProblem ? [problem.field] : [],
      )
      issues.oncePerField(reported, () => checkTemplate(kind, entry, at, issues))
    }

    /** A file must exist, belong to the account, not be expired and meet the requirements of the field that shows it. */
    async function checkFiles(step: Step, at: string): Promise<void> {
      const together = new Map<string, FileMetadata>()
      for (const { key: text, path, use, bytesTogether, ...requirements } of channels[step.channel].files(
        step,
      )) {
        if (issues.isSettled()) return
        const reference = readReference(use, publicFileBase, text)
        if (reference === 'carrier') continue
        const field = at + path
        if (reference === 'malformed') {
          issues.add(invalidField('A513', field, `${imageReference}, found ${quote(text)}`))
          continue
        }
        const { key } = reference
        const fileUse = { field, serviceType: use, ...requirements }
        const file = checkUse(await files.find(key), accountId, fileUse, clock.date(), issues)
        if (file === null || bytesTogether === undefined) continue
        // The same image on several cards is sent once.
        together.set(key, file)
        checkTotal([...together.values()], bytesTogether, field, issues)
      }
    }
  }
}

const imageReference = 'must be the imgUrl or the fileKey of an upload, or another http or https address'

function checkTotal(files: readonly FileMetadata[], max: number, field: string, issues: Issues): void {
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0)
  if (bytes <= max) return
  const reason = `all images together must be at most ${max} bytes, found ${bytes} up to this one`
  issues.add(invalidField('A200', field, reason))
}

/** Returns a function that marks a suspicious draft: it is accepted, and an operator decides. */
export function createHold(draft: CheckedDraft): Hold {
  return (rule) => {
    draft.heldBy ??= rule
    draft.effects?.push({ rule, effect: 'held', step: null, notBefore: null, reason: heldReason })
  }
}

const heldReason = 'it is suspicious: it is accepted and waits until an operator of the service decides'
