import { maxDestinations } from '../../../../pipeline/accept/omni.ts'
import { maxPlaceholders } from '../../../../pipeline/accept/placeholders.ts'
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
      'The first message of the flow is sent; when it fails, the next one is sent, and so on. Give either messageFlow or ' +
      `messageForm, and up to ${maxDestinations} destinations. Placeholders #{key} in texts, titles and buttons are ` +
      'replaced by the replaceWords of each destination; a placeholder without a value fails that destination. ' +
      `A flow has at most ${maxPlaceholders} placeholders. Limits are checked after the replacement. ` +
      'An error in the request refuses it as a whole; an error in one destination ' +
      'is reported in its entry, and the others are accepted.',
    parameters: [dryRun, sendAt, idempotencyKey],
    body: {
      contentType: 'application/json',
      schema: ref('OmniRequest'),
      description: 'Flow and destinations; at most 256 KB',
    },
    response: {
      description: 'The request was accepted; each destination has its own result',
      schema: ref('OmniResponse'),
    },
    codes: omniCodes,
    links: {
      reports: {
        operationId: 'findReports',
        description: 'The reports of the message to the first destination',
        parameters: { msgKey: '$response.body#/data/destinations/0/msgKey' },
      },
    },
    examples: omniExamples,
  },
]
