/** GET /v1/message/{msgKey}. */
import { messageExamples } from '../examples/message.ts'
import { shown } from '../examples/shown.ts'
import type { Operation } from '../operation.ts'
import { pathParameter } from '../parameters.ts'
import { ref } from '../ref.ts'

export const messageOperations: readonly Operation[] = [
  {
    id: 'showMessage',
    method: 'get',
    path: '/v1/message/{msgKey}',
    tag: 'Reports',
    summary: 'The timeline of one message',
    description:
      'What happened to it, step by step, how it ended, what the code means and what to do next, in English or ' +
      'Korean. For 30 days, also while its outcome is not known yet. The text of the message is not part of it.',
    parameters: [
      pathParameter('msgKey', 'What the send answered.', shown.smsKey),
      {
        name: 'Accept-Language',
        in: 'header',
        required: false,
        description: 'en or ko; English when neither is asked for.',
        schema: { type: 'string' },
        example: 'ko',
      },
    ],
    answer: { description: 'The timeline so far', schema: ref('MessageAnswer') },
    codes: ['A331'],
    beyondContract: 'A message explained to its client.',
    examples: messageExamples,
  },
]
