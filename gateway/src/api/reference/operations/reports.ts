/** GET and DELETE /v1/report/polling, GET /v1/report/inquiry/{msgKey}. */
import { acknowledgeExamples, inquiryExamples, pollExamples } from '../examples/reports.ts'
import { shown } from '../examples/shown.ts'
import type { Operation } from '../operation.ts'
import { pathParameter } from '../parameters.ts'
import { ref } from '../ref.ts'

export const reportOperations: readonly Operation[] = [
  {
    id: 'pollReports',
    method: 'get',
    path: '/v1/report/polling',
    tag: 'Reports',
    summary: 'Collect the next batch of reports',
    description:
      'At most 1000 reports, in the order in which they became known. The same batch is given again until it is ' +
      'acknowledged, so none is lost when an answer is. Reports that nobody collects are dropped after 3 days. ' +
      'The account needs the permission to poll.',
    answer: { description: 'A batch; an empty one when there is nothing', schema: ref('PollAnswer') },
    codes: ['A802'],
    links: {
      acknowledge: {
        operationId: 'acknowledgeReports',
        description: 'The batch was taken over',
        parameters: { reportId: '$response.body#/data/reportId' },
      },
    },
    examples: pollExamples,
  },
  {
    id: 'acknowledgeReports',
    method: 'delete',
    path: '/v1/report/polling/{reportId}',
    tag: 'Reports',
    summary: 'Acknowledge a batch',
    description: 'Do it once the batch is safe with you: it is not given again, and the next one is.',
    parameters: [pathParameter('reportId', 'What polling answered.', shown.reportId)],
    answer: { description: 'Acknowledged', schema: ref('PlainAnswer') },
    codes: ['A802', 'A805'],
    examples: acknowledgeExamples,
  },
  {
    id: 'findReports',
    method: 'get',
    path: '/v1/report/inquiry/{msgKey}',
    tag: 'Reports',
    summary: 'Look up the reports of one message',
    description:
      'For 30 days, whether they were polled or not. A message has no report before its outcome is known; one ' +
      'that went through several steps of a flow has one report for each, the last of them being the outcome.',
    parameters: [pathParameter('msgKey', 'What the send answered.', shown.smsKey)],
    answer: { description: 'The reports, as far as there are any', schema: ref('InquiryAnswer') },
    codes: [],
    examples: inquiryExamples,
  },
]
