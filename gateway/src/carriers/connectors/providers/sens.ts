import { hash } from 'node:crypto'
import { infobankCauses } from './infobank-codes.ts'
import {
  accepted,
  accountName,
  defineProvider,
  getRequest,
  jsonRequest,
  listAt,
  readKoreanTime,
  refused,
  textAt,
  type ProviderReceipt,
} from './kit/index.ts'
import { refuseImage } from './mms-image.ts'
import {
  isEmptyList,
  listRequest,
  nextPage,
  parseSensError,
  sensAccount,
  sensExample,
  sensServiceUrl,
  sign,
} from './sens-common.ts'
import { startRange } from './time-range.ts'

const causes = {
  ...infobankCauses,
  S003: 'spam',
  S004: 'temporary-failure',
  S005: 'attachment',
  S006: 'attachment',
  S007: 'attachment',
  S008: 'attachment',
  S009: 'attachment',
  S012: 'unregistered-sender',
} as typeof infobankCauses

export const sens = defineProvider({
  name: 'sens',
  summary: 'SMS, LMS and MMS over Naver Cloud SENS.',
  channels: ['sms', 'mms'],
  sources: [
    'https://api.ncloud-docs.com/docs/sens-overview',
    'https://api.ncloud-docs.com/docs/sens-sms-send',
    'https://api.ncloud-docs.com/docs/sens-sms-list',
    'https://api.ncloud-docs.com/docs/sens-sms-get',
    'https://api.ncloud-docs.com/docs/sens-sms-attachment-create',
    'https://api.ncloud-docs.com/docs/api-call-lgc-errorhandling',
    'https://github.com/sjk4425/ncloud-mcp-server/blob/d693d41c/src/tools/application-sens.ts',
    'https://github.com/RAVNUS-INC/kotify/blob/9ccf6cb8/app/ncp/client.py',
  ],
  checked: '2026-11-18',
  unconfirmed: [
    'The fields of a list that announce its next page: `nextToken`, and `hasMore` if present.',
    'That an empty 404 response to a list means no results, as a public program observed.',
  ],
  notes:
    'SENS has no webhooks; results are polled. It does not return our reference, so a submission without a response stays unknown. MMS images are JPEG, at most 300 KB and 1500 by 1440 pixels. SENS truncates texts that are too long; the limits of this gateway are the same. For the government cloud, set url to https://sens.apigw.gov-ntruss.com.',
  account: {
    ...sensAccount,
    serviceId: accountName('Id of the SMS service, such as ncp:sms:kr:123456789012:my-project.', 128),
  },
  example: { ...sensExample, serviceId: 'ncp:sms:kr:123456789012:my-project' },
  login: ({ url, serviceId }) => [url, serviceId],
  authorize: (request, { account }) => sign(request, account),

  upload: {
    // SENS keeps a file for six days.
    lifetimeMs: 5 * 24 * 3_600_000,
    request: (file, { account }) =>
      refuseImage('sens', file) ??
      jsonRequest(sensServiceUrl(account, 'sms', '/files'), {
        // SENS treats files of the same name and size as the same file, so the name is derived from the content.
        fileName: `${hash('sha256', file.bytes).slice(0, 32)}.jpg`,
        fileBody: file.bytes.toString('base64'),
      }),
    read(answer) {
      const reference = textAt(answer.json, 'fileId')
      return answer.isSuccess && reference !== '' ? { kind: 'uploaded', reference } : parseSensError(answer)
    },
  },

  send({ message, from, to, isAdvertisement }, { account, number }, files) {
    const { channel } = message
    if (channel !== 'sms' && channel !== 'mms')
      return refused('unsupported', 'sens:channel', 'sens supports SMS, LMS and MMS')
    return jsonRequest(sensServiceUrl(account, 'sms', '/messages'), {
      type: channel === 'sms' ? 'SMS' : files.length === 0 ? 'LMS' : 'MMS',
      contentType: isAdvertisement ? 'AD' : 'COMM',
      countryCode: '82',
      from: number(from, 'domestic'),
      subject: channel === 'mms' ? message.content.title : undefined,
      content: message.content.text,
      messages: [{ to: number(to, 'domestic') }],
      files: files.length === 0 ? undefined : files.map((fileId) => ({ fileId })),
    })
  },

  parseResponse(answer) {
    const id = textAt(answer.json, 'requestId')
    return answer.status === 202 && id !== '' ? accepted(id) : parseSensError(answer)
  },

  poll: {
    everyMs: 10_000,
    start: startRange,
    request: (cursor, { account }, now) =>
      listRequest(sensServiceUrl(account, 'sms', '/messages'), cursor, now),
    read(answer, cursor, now) {
      if (!answer.isSuccess && !isEmptyList(answer)) return null
      return { receipts: listAt(answer.json, 'messages').map(toReceipt), ...nextPage(answer, cursor, now) }
    },
  },

  lookup: {
    by: 'carrierId',
    request: ({ carrierId }, { account }) =>
      getRequest(sensServiceUrl(account, 'sms', '/messages'), { requestId: carrierId! }),
    read(answer) {
      if (isEmptyList(answer)) return 'not-found'
      if (!answer.isSuccess) return null
      const [message] = listAt(answer.json, 'messages')
      return message === undefined ? 'not-found' : toReceipt(message)
    },
  },
})

/** A request has one message, so the message has the id of the request. */
function toReceipt(message: unknown): ProviderReceipt {
  const code = textAt(message, 'statusCode')
  const isFinal = textAt(message, 'status') === 'COMPLETED'
  return {
    id: textAt(message, 'requestId'),
    result: isFinal ? (code === '0' ? 'delivered' : 'failed') : 'pending',
    cause: causes[code],
    code: code || textAt(message, 'status'),
    recipient: textAt(message, 'to'),
    at: readKoreanTime(textAt(message, 'completeTime')),
  }
}
