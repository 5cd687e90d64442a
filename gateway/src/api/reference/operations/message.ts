/** GET /v1/message/{msgKey}. */
import { messageExamples } from '../examples/message.ts'
import { sampleValues } from '../examples/sample-values.ts'
import type { Operation } from '../operation.ts'
import { pathParameter } from '../parameters.ts'
import { ref } from '../ref.ts'

export const messageOperations: readonly Operation[] = [
  {
    id: 'showMessage',
    method: 'get',
    path: '/v1/message/{msgKey}',
    tag: 'Reports',
    summary: 'Get the timeline of one message',
    description:
      'The events of the message, step by step, its result, the meaning of the code and what to do next, in English or ' +
      'Korean. Available for 30 days, also before the result is known. It does not contain the text of the message.',
    parameters: [
      pathParameter('msgKey', 'msgKey from the response to the send.', sampleValues.smsKey),
      {
        name: 'Accept-Language',
        in: 'header',
        required: false,
        description: 'en or ko; default: en.',
        schema: { type: 'string' },
        example: 'ko',
      },
    ],
    answer: { description: 'The timeline so far', schema: ref('MessageAnswer') },
    codes: ['A331'],
    beyondContract: 'The timeline of a message.',
    examples: messageExamples,
  },
]
