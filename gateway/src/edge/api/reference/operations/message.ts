import { maxWindowDays } from '../../../../records/messages/list-query.ts'
import { messageExamples, messageListExamples } from '../examples/message.ts'
import { sampleValues } from '../examples/sample-values.ts'
import type { Operation } from '../operation.ts'
import { pathParameter } from '../parameters.ts'
import { ref } from '../ref.ts'

export const clientMessageOperations: readonly Operation[] = [
  {
    id: 'searchMessages',
    method: 'post',
    path: '/v1/message/search',
    tag: 'Reports',
    summary: 'Find messages',
    description:
      `The messages of the account that were accepted in a period of at most ${maxWindowDays} days, newest first. A scheduled message ` +
      'belongs to its send time. All filters must match. The time of a page is limited: it may have fewer messages than `limit`, or ' +
      'none, and still a `cursor`. The list is complete when a page has no `cursor`. A message appears within about a ' +
      'second of its acceptance. A search counts as 10 report requests, and an account may make one at a time.',
    body: {
      contentType: 'application/json',
      schema: ref('MessageSearchRequest'),
      description: 'The period and the filters',
    },
    response: { description: 'A page of messages, newest first', schema: ref('MessageListResponse') },
    codes: ['A300'],
    beyondContract: 'The search for messages.',
    examples: messageListExamples,
  },
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
    response: { description: 'The timeline so far', schema: ref('MessageResponse') },
    codes: ['A331'],
    beyondContract: 'The timeline of a message.',
    examples: messageExamples,
  },
]
