import { acknowledgeExamples, inquiryExamples, pollExamples } from '../examples/reports.ts'
import { sampleValues } from '../examples/sample-values.ts'
import type { Operation } from '../operation.ts'
import { pathParameter } from '../parameters.ts'
import { ref } from '../ref.ts'

export const reportOperations: readonly Operation[] = [
  {
    id: 'pollReports',
    method: 'get',
    path: '/v1/report/polling',
    tag: 'Reports',
    summary: 'Poll the next batch of reports',
    description:
      'At most 1000 reports, in the order in which they became known. The same batch is returned until it is ' +
      'acknowledged, so no report is lost when a response is. Reports that are not polled expire after 3 days. The ' +
      'account needs the permission to poll.',
    response: { description: 'A batch; empty when there are no reports', schema: ref('PollResponse') },
    codes: ['A802'],
    links: {
      acknowledge: {
        operationId: 'acknowledgeReports',
        description: 'Acknowledge the batch',
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
    description: 'Acknowledge a batch after you have stored it: polling then returns the next one.',
    parameters: [pathParameter('reportId', 'reportId from the response to polling.', sampleValues.reportId)],
    response: { description: 'Acknowledged', schema: ref('PlainResponse') },
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
      'Available for 30 days, whether polled or not. A message has no report before its result is known. One that went ' +
      'through several steps of a flow has one report for each step; the first one is its result. `state` distinguishes a message in flight ' +
      'from a key that the account does not have.',
    parameters: [pathParameter('msgKey', 'msgKey from the response to the send.', sampleValues.smsKey)],
    response: { description: 'The reports; none before the result is known', schema: ref('InquiryResponse') },
    codes: [],
    examples: inquiryExamples,
  },
]
