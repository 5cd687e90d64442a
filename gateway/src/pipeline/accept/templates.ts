/**
 * Holds an RCS message to the limits of its template's kind, where the operator has said which kind the template is of
 * (`postern route templates put`). A template that is not known has the loosest limits, which its channel checks.
 */
import type { Entry } from '../../channels/rcs/entry.ts'
import { checkTemplate } from '../../channels/rcs/template.ts'
import { FieldProblem } from '../../contract/problem.ts'
import type { RouteTable } from '../../routes/table.ts'
import type { CheckInMemory } from './check-steps.ts'

export function createCheckTemplates(routes: Pick<RouteTable, 'templates'>): CheckInMemory {
  return (_accountId, { steps }, placeOf, issues) => {
    for (const [index, step] of steps.entries()) {
      if (step.channel !== 'rcs') continue
      const entry = step.content as Entry
      const kind = routes.templates.get(entry.formatId)
      if (kind === undefined) continue
      const reported = issues.all.flatMap((problem) =>
        problem instanceof FieldProblem ? [problem.field] : [],
      )
      issues.oncePerField(reported, () => checkTemplate(kind, entry, placeOf(step, index), issues))
    }
  }
}
