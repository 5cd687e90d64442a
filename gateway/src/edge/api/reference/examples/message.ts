import { explainReportCode } from '../../../../channels/report-codes.ts'
import type { Example } from '../operation.ts'
import { sampleValues, success } from './sample-values.ts'

const { text, cause, action } = explainReportCode('10000', 'en')!

export const messageListExamples: readonly Example[] = [
  {
    name: 'byRef',
    summary: 'The messages with a reference',
    body: { since: sampleValues.since, ref: 'parcel-1' },
    status: 200,
    response: {
      ...success,
      data: {
        message: [
          {
            msgKey: sampleValues.smsKey,
            to: '01000000001',
            ref: 'parcel-1',
            acceptedAt: sampleValues.sendTime,
            state: 'closed',
            serviceType: 'SMS',
            reportCode: '10000',
            outcome: 'delivered',
          },
        ],
      },
    },
  },
  {
    name: 'withoutSince',
    summary: 'A field is missing',
    body: { ref: 'parcel-1' },
    status: 400,
    response: { code: 'A300', result: "Invalid or empty 'since': is required", field: 'since' },
  },
]

export const messageExamples: readonly Example[] = [
  {
    name: 'delivered',
    summary: 'An SMS that was delivered',
    path: { msgKey: sampleValues.smsKey },
    headers: { 'Accept-Language': 'en' },
    status: 200,
    response: {
      ...success,
      data: {
        msgKey: sampleValues.smsKey,
        to: '01000000001',
        state: 'closed',
        outcome: { code: '10000', text, cause, action },
        action,
        steps: [{ step: 1, serviceType: 'SMS', state: 'ended', code: '10000', text }],
        events: [
          { at: sampleValues.sendTime, kind: 'accepted', text: 'Accepted' },
          { at: sampleValues.sendTime, step: 1, kind: 'submitted', text: 'Submitted to the carrier' },
          {
            at: sampleValues.reportTime,
            step: 1,
            kind: 'receipt',
            text: 'The carrier reported it delivered',
            carrierCode: 'sandbox:delivered',
          },
          { at: sampleValues.reportTime, step: 1, kind: 'closed', text: 'Closed with 10000' },
        ],
      },
    },
  },
  {
    name: 'unknownMessage',
    summary: 'No message of this account',
    path: { msgKey: 'no-such-message' },
    status: 404,
    response: {
      code: 'A331',
      result:
        'Unknown message: check the msgKey; a message sent within the last second might not be recorded yet',
    },
  },
]
