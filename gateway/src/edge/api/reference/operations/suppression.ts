import { choiceLimits } from '../../../../trust/suppression/plan-change.ts'
import { suppressionBodyBytes } from '../../../../trust/suppression/http.ts'
import {
  removeSuppressionExamples,
  searchSuppressionExamples,
  suppressExamples,
} from '../examples/suppression.ts'
import type { Operation } from '../operation.ts'
import { ref } from '../ref.ts'

const path = '/v1/suppression'
const recipient = {
  contentType: 'application/json',
  schema: ref('SuppressionRecipient'),
  description: 'The recipient',
} as const
const common = { tag: 'Suppression', beyondContract: 'Opt-outs of advertisements.' } as const

export const clientSuppressionOperations: readonly Operation[] = [
  {
    ...common,
    id: 'suppress',
    method: 'post',
    path,
    summary: 'Suppress recipients',
    description:
      'Advertisements of the account to these recipients are refused with A324 within two seconds; accepted ones that ' +
      'have not been submitted end with 90012. Other messages are sent. The numbers are stored as hashes only, so they ' +
      `cannot be listed. An account can have ${choiceLimits.suppressed} entries; a recipient in the list, or one who has agreed, ` +
      'can always be suppressed. START revokes an opt-out, but no consent, no carrier report and no entry of the operator.',
    body: {
      contentType: 'application/json',
      schema: ref('SuppressionRequest'),
      description: `The recipients; at most ${suppressionBodyBytes / 1024} KB`,
    },
    response: { description: 'Stored', schema: ref('SuppressionChangedResponse') },
    codes: ['A306'],
    examples: suppressExamples,
  },
  {
    ...common,
    id: 'searchSuppression',
    method: 'post',
    path: `${path}/search`,
    summary: 'Look up a recipient',
    description: 'Whether the recipient has opted out or agreed, and since when.',
    body: recipient,
    response: { description: 'The state of the recipient', schema: ref('SuppressionResponse') },
    codes: ['A306'],
    examples: searchSuppressionExamples,
  },
  {
    ...common,
    id: 'removeSuppression',
    method: 'post',
    path: `${path}/remove`,
    summary: 'Remove a recipient from the list',
    description:
      'The recipient wants advertisements of the account again. Carrier reports and entries of the operator stay. At most ' +
      `${choiceLimits.removalsPerDay} recipients are removed per day.`,
    body: recipient,
    response: { description: 'Removed', schema: ref('SuppressionChangedResponse') },
    codes: ['A306'],
    examples: removeSuppressionExamples,
  },
]
