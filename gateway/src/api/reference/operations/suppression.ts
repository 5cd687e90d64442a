/** POST, GET and DELETE /v1/suppression. */
import { choiceLimits } from '../../../trust/suppression/plan-change.ts'
import { suppressionBodyBytes } from '../../../trust/suppression/http.ts'
import {
  removeSuppressionExamples,
  showSuppressionExamples,
  suppressExamples,
} from '../examples/suppression.ts'
import type { Operation, Parameter } from '../operation.ts'
import { ref } from '../ref.ts'

const path = '/v1/suppression'
const to: Parameter = {
  ...{ name: 'to', in: 'query', required: true },
  description: 'The recipient, as in sends; a plus sign is written %2B.',
  schema: { type: 'string', maxLength: 20 },
  example: '01000000009',
}
const common = { path, tag: 'Suppression', beyondContract: 'Opt-outs of advertisements.' } as const

export const suppressionOperations: readonly Operation[] = [
  {
    ...{ id: 'suppress', method: 'post', ...common },
    summary: 'Suppress recipients',
    description:
      'Advertisements of the account to these recipients are refused with A324 within two seconds; accepted ones that ' +
      'have not been submitted end with 90012. Other messages are sent. The numbers are stored as hashes only, so they ' +
      `cannot be listed. An account can have ${choiceLimits.suppressed} entries; a recipient who is in the list, or has agreed, ` +
      'can always be suppressed. START takes back an opt-out, never a consent, what a carrier has reported or an entry of the operator.',
    body: {
      contentType: 'application/json',
      schema: ref('SuppressionRequest'),
      description: `The recipients; at most ${suppressionBodyBytes / 1024} KB`,
    },
    answer: { description: 'Stored', schema: ref('SuppressionChangedAnswer') },
    codes: ['A306'],
    examples: suppressExamples,
  },
  {
    ...{ id: 'showSuppression', method: 'get', ...common },
    summary: 'Look up a recipient',
    description: 'Whether the recipient has opted out or agreed, and since when.',
    parameters: [to],
    answer: { description: 'What is known', schema: ref('SuppressionAnswer') },
    codes: ['A306'],
    examples: showSuppressionExamples,
  },
  {
    ...{ id: 'removeSuppression', method: 'delete', ...common },
    summary: 'Remove a recipient from the list',
    description:
      'The recipient wants advertisements of the account again. What a carrier has reported and an entry of the operator stay. At most ' +
      `${choiceLimits.removalsPerDay} recipients a day are removed.`,
    parameters: [to],
    answer: { description: 'Removed', schema: ref('SuppressionChangedAnswer') },
    codes: ['A306'],
    examples: removeSuppressionExamples,
  },
]
