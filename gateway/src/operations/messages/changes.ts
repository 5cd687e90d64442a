/** Operations that cancel a message, decode a msgKey, and list the meanings of report codes. */
import { cancelMessage, readKeyFacts } from './messages.ts'
import { causeByCode, explainReportCode, reportCodes } from '../../channels/report-codes.ts'
import { flag, list, nullable, oneOf, record, text, time, whole } from '../fields.ts'
import { writeAccess, defineOperation, readAccess } from '../operation.ts'

const msgKey = text('Key of the message', { minLength: 1, maxLength: 100 })

export const messageChangeOperations = [
  defineOperation({
    id: 'cancelMessage',
    method: 'post',
    path: '/admin/v1/messages/{msgKey}/cancel',
    tag: 'Messages',
    summary: 'Cancel a scheduled message; its client receives report 90010',
    access: writeAccess('messages', 'required'),
    client: 'own',
    action: 'message cancel',
    command: { examples: ['2026111502322500000ABCDEFGHIJKLM --reason "asked by the client"'] },
    params: { msgKey },
    data: record({ msgKey, cancelled: flag('Always true') }, 'The cancellation'),
    run: async ({ params }, { database, audit, services: { config } }) => {
      await cancelMessage(database, audit, config, params.msgKey)
      return { msgKey: params.msgKey, cancelled: true }
    },
  }),
  defineOperation({
    id: 'showKeyFacts',
    method: 'get',
    path: '/admin/v1/messages/{msgKey}/key',
    tag: 'Messages',
    summary: 'Decode a msgKey, whether the message exists or not',
    access: readAccess(),
    action: 'message key',
    params: { msgKey },
    data: record(
      {
        wellFormed: flag('Whether it has the form of a msgKey: 17 digits, then 15 digits or letters A-Z'),
        keyTime: nullable(time('Time of acceptance, or scheduled time; null if it is no time')),
        cell: nullable(text('Cell that accepted it')),
        ownCell: text('Cell of this gateway'),
        retentionDays: whole('Retention period of messages, in days'),
      },
      'The decoded msgKey',
      { title: 'KeyFacts' },
    ),
    run: ({ params }, { services: { config } }) => Promise.resolve(readKeyFacts(params.msgKey, config)),
  }),
  defineOperation({
    id: 'listCodes',
    method: 'get',
    path: '/admin/v1/codes',
    tag: 'Messages',
    summary: 'List all report codes with their meanings',
    access: readAccess(),
    client: 'public',
    action: 'message codes',
    query: { language: oneOf(['en', 'ko'], 'Language of the texts') },
    data: record(
      {
        codes: list(
          record(
            {
              code: text('Report code'),
              delivered: flag('Whether it means that the message was delivered'),
              text: text('Meaning of the code'),
              cause: text('Common cause'),
              action: text('What to do next'),
            },
            'A report code',
          ),
          'Report codes, in order',
        ),
      },
      'Report codes',
    ),
    run: ({ query: { language } }) =>
      Promise.resolve({
        codes: reportCodes.flatMap((code) => {
          const meaning = explainReportCode(code, language)
          return meaning === null
            ? []
            : [{ code, delivered: causeByCode.get(code) === 'delivered', ...meaning }]
        }),
      }),
  }),
]
