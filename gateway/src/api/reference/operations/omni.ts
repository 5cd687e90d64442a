/** POST /v1/send/omni. */
import { maxDestinations } from '../../../pipeline/accept/omni.ts'
import { omniCodes } from '../codes.ts'
import { omniExamples } from '../examples/omni.ts'
import type { Operation } from '../operation.ts'
import { dryRun, idempotencyKey, sendAt } from '../parameters.ts'
import { ref } from '../ref.ts'

export const omniOperations: readonly Operation[] = [
  {
    id: 'sendOmni',
    method: 'post',
    path: '/v1/send/omni',
    tag: 'Send',
    summary: 'Send a flow of messages with ordered fallback',
    description:
      'The first message of the flow is sent; when it fails, the next one is, and so on. Either messageFlow or ' +
      `messageForm is given, and up to ${maxDestinations} destinations. Placeholders #{key} in texts, titles and ` +
      'buttons are replaced by the words of each destination; one without a word fails that destination. ' +
      'Limits are checked with the words filled in. What is wrong with the request fails it whole; what is ' +
      'wrong with one destination is told in its entry, and the others are accepted.',
    parameters: [dryRun, sendAt, idempotencyKey],
    body: {
      contentType: 'application/json',
      schema: ref('OmniRequest'),
      description: 'Flow and destinations; at most 256 KB',
    },
    answer: {
      description: 'The request was taken; each destination has a result of its own',
      schema: ref('OmniAnswer'),
    },
    codes: omniCodes,
    links: {
      reports: {
        operationId: 'findReports',
        description: 'What became of the message to the first destination',
        parameters: { msgKey: '$response.body#/data/destinations/0/msgKey' },
      },
    },
    examples: omniExamples,
  },
]
