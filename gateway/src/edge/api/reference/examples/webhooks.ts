import type { Example } from '../operation.ts'
import { sampleValues, success } from './sample-values.ts'

const path = { webhookId: sampleValues.webhookId }
const webhook = {
  webhookId: sampleValues.webhookId,
  url: sampleValues.webhookUrl,
  name: 'reports',
  perSecond: 50,
  concurrency: 10,
  timeoutSeconds: 5,
  acknowledgement: 'status',
  notices: true,
  enabled: false,
  events: 'reports',
  disabledReason: 'owner',
  disabledTime: sampleValues.webhookTime,
  failingSince: '',
  previousSecretUntil: '',
  behind: 0,
  retrying: 0,
  givenUp: 0,
  created: sampleValues.webhookTime,
}
const unknown = {
  code: 'A850',
  result: "Invalid 'webhookId': the account has no such webhook; GET /v1/webhook lists them",
}

export const createWebhookExamples: readonly Example[] = [
  {
    name: 'webhook',
    summary: 'Created, not yet enabled',
    body: { url: sampleValues.webhookUrl, name: 'reports', perSecond: 50, enabled: false },
    status: 200,
    response: { ...success, data: { ...webhook, secret: sampleValues.webhookSecret } },
  },
  {
    name: 'webhookInside',
    summary: 'An address that is not public',
    body: { url: 'http://169.254.169.254/latest' },
    status: 400,
    response: { code: 'A851', result: "Invalid or empty 'url': its address is not public", field: 'url' },
  },
]

export const listWebhooksExamples: readonly Example[] = [
  {
    name: 'webhooks',
    summary: 'The webhooks of the account',
    status: 200,
    response: { ...success, data: { webhook: [webhook] } },
  },
]

export const showWebhookExamples: readonly Example[] = [
  {
    name: 'webhookFound',
    summary: 'One webhook',
    path,
    status: 200,
    response: { ...success, data: webhook },
  },
]

export const testWebhookExamples: readonly Example[] = [
  {
    name: 'webhookTested',
    summary: 'The URL acknowledges',
    path,
    status: 200,
    response: {
      ...success,
      data: {
        acknowledged: true,
        eventId: sampleValues.testEventId,
        time: sampleValues.tryTime,
        httpStatus: 200,
        ms: 23,
        error: '',
      },
    },
  },
]

export const rotateWebhookExamples: readonly Example[] = [
  {
    name: 'webhookRotated',
    summary: 'Both secrets sign for six hours',
    path,
    body: { keepPreviousHours: 6 },
    status: 200,
    response: {
      ...success,
      data: { secret: sampleValues.newWebhookSecret, previousSecretUntil: sampleValues.webhookTime },
    },
  },
]

export const deliveriesExamples: readonly Example[] = [
  {
    name: 'deliveries',
    summary: 'No pushes yet',
    path,
    status: 200,
    response: { ...success, data: { tries: [], failed: [] } },
  },
]

export const replayWebhookExamples: readonly Example[] = [
  {
    name: 'replayed',
    summary: 'The report of one message',
    path,
    body: { msgKey: sampleValues.smsKey },
    status: 200,
    response: { ...success, data: { reports: 1 } },
  },
  {
    name: 'replayOfNothing',
    summary: 'No such report',
    path,
    body: { msgKey: 'no-such-message' },
    status: 400,
    response: {
      code: 'A854',
      result:
        "Invalid or empty 'msgKey': the message has no report or reply of the last 3 days; GET /v1/report/inquiry/{msgKey} returns older reports",
      field: 'msgKey',
    },
  },
]

/** The examples run in order, so the previous secret of the rotation still signs. */
export const changeWebhookExamples: readonly Example[] = [
  {
    name: 'webhookEnabled',
    summary: 'Enabled: reports are pushed from now on',
    path,
    body: { enabled: true },
    status: 200,
    response: {
      ...success,
      data: {
        ...webhook,
        enabled: true,
        disabledReason: '',
        disabledTime: '',
        previousSecretUntil: sampleValues.webhookTime,
      },
    },
  },
]

export const deleteWebhookExamples: readonly Example[] = [
  { name: 'webhookDeleted', summary: 'Deleted', path, status: 200, response: success },
  { name: 'webhookUnknown', summary: 'Already deleted', path, status: 400, response: unknown },
]
