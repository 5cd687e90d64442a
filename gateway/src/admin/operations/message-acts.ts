/** What an operator does with one message, and what helps to find one: cancel, the facts of a key, the meanings of report codes. */
import { cancelMessage, readKeyFacts } from '../../acts/messages.ts'
import { causeByCode, meaningOf, reportCodes } from '../../channels/report-codes.ts'
import { flag, list, nullable, oneOf, record, text, time, whole } from '../fields.ts'
import { changes, defineOperation, reads } from '../operation.ts'

const msgKey = text('Key of the message', { minLength: 1, maxLength: 100 })

export const messageActOperations = [
  defineOperation({
    id: 'cancelMessage',
    method: 'post',
    path: '/admin/v1/messages/{msgKey}/cancel',
    tag: 'Messages',
    summary: 'Cancel a message that waits for its scheduled time; its client gets a report with 90010',
    access: changes('messages', 'required'),
    client: 'own',
    action: 'message cancel',
    command: { examples: ['2026111502322500000ABCDEFGHIJKLM --reason "asked by the client"'] },
    params: { msgKey },
    data: record({ msgKey, cancelled: flag('true') }, 'The cancellation'),
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
    summary: 'Show what a msgKey says by itself, whether there is such a message or not',
    access: reads(),
    action: 'message key',
    params: { msgKey },
    data: record(
      {
        wellFormed: flag('Whether it has the form of a msgKey: 17 digits, then 15 digits or letters A-Z'),
        keyTime: nullable(time('When the message was accepted, or is to be sent; null: not a time')),
        cell: nullable(text('The cell that accepted it')),
        ownCell: text('The cell of this gateway'),
        retentionDays: whole('How long messages are kept, in days'),
      },
      'Facts of the key',
      { title: 'KeyFacts' },
    ),
    run: ({ params }, { services: { config } }) => Promise.resolve(readKeyFacts(params.msgKey, config)),
  }),
  defineOperation({
    id: 'listCodes',
    method: 'get',
    path: '/admin/v1/codes',
    tag: 'Messages',
    summary: 'List every report code with its meaning',
    access: reads(),
    client: 'public',
    action: 'message codes',
    query: { language: oneOf(['en', 'ko'], 'The language of the texts') },
    data: record(
      {
        codes: list(
          record(
            {
              code: text('Report code'),
              delivered: flag('Whether it means that the message was delivered'),
              text: text('What it means'),
              cause: text('The usual cause'),
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
          const meaning = meaningOf(code, language)
          return meaning === null
            ? []
            : [{ code, delivered: causeByCode.get(code) === 'delivered', ...meaning }]
        }),
      }),
  }),
]
