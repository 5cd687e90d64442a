import { cancelExamples } from '../examples/cancel.ts'
import { sampleValues } from '../examples/sample-values.ts'
import type { Operation } from '../operation.ts'
import { pathParameter } from '../parameters.ts'
import { ref } from '../ref.ts'

export const cancelOperations: readonly Operation[] = [
  {
    id: 'cancelSend',
    method: 'delete',
    path: '/v1/send/{msgKey}',
    tag: 'Send',
    summary: 'Cancel a scheduled message',
    description:
      'A message sent with sendAt can be cancelled until its time. It ends with report code 90010. A repeated ' +
      'cancellation succeeds. A message that was already released, or was not scheduled, cannot be cancelled.',
    parameters: [pathParameter('msgKey', 'msgKey from the response to the send.', sampleValues.scheduledKey)],
    response: { description: 'Cancelled; a report follows', schema: ref('PlainResponse') },
    codes: ['A330'],
    beyondContract: 'Cancellation of scheduled messages.',
    examples: cancelExamples,
  },
]
