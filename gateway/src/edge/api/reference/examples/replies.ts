import type { Example } from '../operation.ts'
import { sampleValues, success } from './sample-values.ts'

const reply = {
  replyId: sampleValues.replyId,
  serviceType: 'RCS',
  from: '01012345678',
  to: '15881588',
  text: 'Yes, 3 pm is fine',
  replyTime: sampleValues.replyTime,
  partCnt: '1',
  complete: 'Y',
  choice: '',
}

export const replyExamples: readonly Example[] = [
  {
    name: 'replies',
    summary: 'One reply',
    status: 200,
    response: { ...success, data: { batchId: sampleValues.replyBatchId, reply: [reply] } },
  },
]

export const acknowledgeReplyExamples: readonly Example[] = [
  {
    name: 'acknowledged',
    summary: 'The batch is stored',
    path: { batchId: sampleValues.replyBatchId },
    status: 200,
    response: success,
  },
  {
    name: 'badBatch',
    summary: 'Not the batch that the account holds',
    path: { batchId: 'no-such-batch' },
    status: 400,
    response: {
      code: 'A805',
      result: 'Invalid batchId: must be that of the batch that GET /v1/replies returned',
    },
  },
]

export const replyStreamExamples: readonly Example[] = [
  {
    name: 'replyStream',
    summary: 'The next replies of the consumer crm, waiting for up to ten seconds',
    query: { consumer: 'crm', limit: '500', wait: '10' },
    status: 200,
    response: { ...success, data: { cursor: sampleValues.replyCursor, reply: [reply] } },
  },
]

export const replyPositionExamples: readonly Example[] = [
  {
    name: 'replyMoved',
    summary: 'The consumer crm has stored everything up to the cursor',
    path: { consumer: 'crm' },
    body: { cursor: sampleValues.replyCursor },
    status: 200,
    response: success,
  },
]
