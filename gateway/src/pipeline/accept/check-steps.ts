/**
 * Checks of a draft that need more than its content: trust rules, kinds of RCS templates and uploaded files.
 * Sends and dry runs apply them to the draft of each destination, batches to the draft of each line.
 */
import type { Draft, Step } from '../../channels/channel.ts'
import type { Issues } from '../../channels/issues.ts'
import type { Entry } from '../../channels/rcs/entry.ts'
import { checkTemplate } from '../../channels/rcs/template.ts'
import { channels } from '../../channels/registry.ts'
import { FieldProblem, invalidField } from '../../contract/problem.ts'
import { quote } from '../../contract/quote.ts'
import { checkFileUse } from '../../records/files/check-use.ts'
import type { FileMetadata } from '../../records/files/file.ts'
import type { FileLookup } from '../../records/files/lookup.ts'
import { parseFileReference } from '../../records/files/references.ts'
import { clock } from '../../platform/time/clock.ts'
import type { RouteTable } from '../../carriers/routes/table.ts'
import type { HoldDraft } from '../../trust/abuse/draft-counting.ts'
import type { Policy } from '../../trust/policy.ts'
import type { RuleEffect } from '../../trust/rule-group.ts'

/** Returns the path before the fields of a step. */
export type StepPath = (step: Step, index: number) => string

export type CheckedDraft = Pick<Draft, 'to' | 'steps' | 'sendAt' | 'heldBy'> & {
  /** Collects the effects of trust rules on the accepted message; only set by dry runs. */
  readonly effects?: RuleEffect[]
}

export type CheckSteps = (
  accountId: number,
  draft: CheckedDraft,
  stepPath: StepPath,
  issues: Issues,
) => Promise<void>

export interface CheckContext {
  readonly policy: Pick<Policy, 'checkDraft'>
  /** Provides the kinds of RCS templates; undefined if clients cannot send RCS. */
  readonly routes?: Pick<RouteTable, 'templates'>
  readonly files: FileLookup
  readonly publicFileUrl: string
}

export function createCheckSteps({ policy, routes, files, publicFileUrl }: CheckContext): CheckSteps {
  return async (accountId, draft, stepPath, issues) => {
    const { steps, effects } = draft
    policy.checkDraft(accountId, {
      draft,
      getPath: stepPath,
      issues,
      hold: createHold(draft),
      ...(effects && { note: (effect) => void effects.push(effect) }),
    })
    for (const [index, step] of steps.entries()) checkTemplateKind(step, stepPath(step, index))
    // Check files last, because they may have to be read from PostgreSQL.
    for (const [index, step] of steps.entries()) await checkFiles(step, stepPath(step, index))

    /**
     * Checks the limits of the template's kind. If no operator has set the kind, the loosest limits apply,
     * which the channel checks.
     */
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

    /**
     * Checks that each file exists, belongs to the account, has not expired and meets the requirements of its
     * field.
     */
    async function checkFiles(step: Step, at: string): Promise<void> {
      const together = new Map<string, FileMetadata>()
      for (const { key: text, path, use, bytesTogether, ...requirements } of channels[step.channel].files(
        step,
      )) {
        if (issues.isSettled()) return
        const reference = parseFileReference(use, publicFileUrl, text)
        if (reference === 'carrier') continue
        const field = at + path
        if (reference === 'malformed') {
          issues.add(invalidField('A513', field, `${imageReference}, found ${quote(text)}`))
          continue
        }
        const { key } = reference
        const fileUse = { field, serviceType: use, ...requirements }
        const file = checkFileUse(await files.find(key), accountId, fileUse, clock.date(), issues)
        if (file === null || bytesTogether === undefined) continue
        // An image on several cards is sent once, so it counts once.
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

/**
 * Returns a function that marks a suspicious draft, which is accepted and waits for a decision of an
 * operator.
 */
export function createHold(draft: CheckedDraft): HoldDraft {
  return (rule) => {
    draft.heldBy ??= rule
    draft.effects?.push({ rule, effect: 'held', step: null, notBefore: null, reason: heldReason })
  }
}

const heldReason = 'suspicious message: it is accepted and waits until an operator of the service decides'
