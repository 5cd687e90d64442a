import type { Example } from '../operation.ts'
import { sampleValues, success } from './sample-values.ts'

export const report = {
  msgKey: sampleValues.smsKey,
  to: '01000000001',
  step: 1,
  last: true,
  serviceType: 'SMS',
  msgType: 'SM',
  sendTime: sampleValues.sendTime,
  reportTime: sampleValues.reportTime,
  reportType: '0',
  reportCode: '10000',
  outcome: 'delivered',
  reportText: 'Delivered',
  carrier: '10000',
  ref: 'parcel-1',
}

export const inquiryExamples: readonly Example[] = [
  {
    name: 'inquiry',
    summary: 'A delivered SMS',
    path: { msgKey: sampleValues.smsKey },
    status: 200,
    response: { ...success, data: { report: [report] }, state: 'closed' },
  },
  {
    name: 'inquiryUnknown',
    summary: 'No such message',
    path: { msgKey: 'no-such-message' },
    status: 200,
    response: { ...success, data: { report: [] }, state: 'unknown' },
  },
]

export const pollExamples: readonly Example[] = [
  {
    name: 'polling',
    summary: 'A batch of one report',
    status: 200,
    response: { ...success, data: { reportId: sampleValues.reportId, report: [report] } },
  },
]

export const acknowledgeExamples: readonly Example[] = [
  {
    name: 'acknowledged',
    summary: 'Polling then returns the next batch',
    path: { reportId: sampleValues.reportId },
    status: 200,
    response: success,
  },
  {
    name: 'unknownBatch',
    summary: 'Unknown batch',
    path: { reportId: 'no-such-batch' },
    status: 400,
    response: { code: 'A805', result: 'Invalid Report ID(Pull API)' },
  },
]
