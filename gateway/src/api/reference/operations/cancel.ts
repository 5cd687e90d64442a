/** DELETE /v1/send/{msgKey}. */
import { cancelExamples } from '../examples/cancel.ts'
import { shown } from '../examples/shown.ts'
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
      'Until its time has come, a message sent with sendAt can be taken back. It ends with report code 90010. A ' +
      'message that was released, or was not scheduled, cannot be called back.',
    parameters: [pathParameter('msgKey', 'What the send answered.', shown.scheduledKey)],
    answer: { description: 'Cancelled; its report says so', schema: ref('PlainAnswer') },
    codes: ['A330'],
    beyondContract: 'Taking back what was scheduled.',
    examples: cancelExamples,
  },
]
