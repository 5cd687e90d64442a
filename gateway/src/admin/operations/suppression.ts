/** Recipients who want no advertisements: show, add, remove, import. */
import { Type } from 'typebox'
import { changeChoices, lookAtChoice, readImported, readNumbers } from '../../acts/suppression.ts'
import { choiceStates } from '../../trust/suppression/choice.ts'
import { flag, list, nullable, oneOf, record, text, time, whole } from '../fields.ts'
import { changes, defineOperation, looks } from '../operation.ts'

const account = Type.Optional(
  text('Client id of the account; without it the list of all accounts', { minLength: 1, maxLength: 200 }),
)

const recipients = Type.Array(text('A number', { minLength: 3, maxLength: 40 }), {
  minItems: 1,
  maxItems: 1_000,
  description: 'Numbers of recipients, as sends name them; up to 1,000',
})

const choiceFields = {
  state: text('suppressed, agreed or none'),
  night: flag('Whether a consent holds at night too'),
  since: nullable(time('Since when')),
  source: nullable(text('Who said so')),
  reason: nullable(text('Why')),
}

const changeOperation = <const Verb extends 'add' | 'remove'>(
  verb: Verb,
  state: 'suppressed' | 'none',
  summary: string,
) =>
  defineOperation({
    id: `${verb}Suppression` as const,
    method: 'post',
    path: `/admin/v1/suppression/${verb}`,
    tag: 'Rules',
    summary,
    description:
      'Running processes follow within two seconds. The numbers are stored as hashes only. An entry of an operator cannot be taken back by the account.',
    access: changes('suppression', 'required'),
    action: `suppression ${verb}`,
    command: {
      arguments: ['recipients'],
      examples: ['01012345678 --account shop-1 --reason "called us"'],
    },
    body: { account, recipients },
    data: record({ changed: whole('Entries that changed') }, 'The change', { title: 'SuppressionChange' }),
    run: ({ body }, { database, audit, services: { encryption } }) => {
      const numbers = readNumbers(body.recipients)
      return changeChoices(database, audit, encryption, { account: body.account, numbers, choice: { state } })
    },
  })

export const suppressionOperations = [
  defineOperation({
    id: 'showSuppression',
    // The number is in the body: addresses are written to logs of proxies and to histories of browsers.
    method: 'post',
    path: '/admin/v1/suppression/show',
    tag: 'Rules',
    summary: 'Show the opt-out or consent of a recipient and its history; recorded',
    description: 'Former entries are kept for a year. The index names the recipient in the audit log.',
    access: looks('suppression', 'required'),
    action: 'suppression show',
    command: {
      arguments: ['recipient'],
      examples: ['01012345678 --account shop-1 --reason "question of the recipient"'],
    },
    body: {
      account,
      recipient: text('The number of the recipient, as sends name it', { minLength: 3, maxLength: 40 }),
    },
    data: record(
      {
        ...choiceFields,
        index: nullable(text('The recipient in the audit log')),
        history: list(
          record({ ...choiceFields, endedAt: time('Until when') }, 'What was known before', {
            title: 'SuppressionHistoryEntry',
          }),
          'What was known before',
        ),
      },
      'What a recipient wants',
      { title: 'SuppressionEntry' },
    ),
    run: async ({ body }, { database, audit, services: { encryption } }) => {
      const [to = ''] = readNumbers([body.recipient])
      const { found, index, history } = await lookAtChoice(database, audit, encryption, body.account, to)
      const nothing = { state: 'none', night: false, since: null, source: null, reason: null }
      return { ...(found ?? nothing), index, history: [...history] }
    },
  }),
  changeOperation('add', 'suppressed', 'Enter recipients who want no advertisements'),
  changeOperation('remove', 'none', 'Remove recipients from the list'),
  defineOperation({
    id: 'importSuppression',
    method: 'post',
    path: '/admin/v1/suppression/import',
    tag: 'Rules',
    summary:
      'Enter a part of a list: opt-outs, or consents, which need the right _trust_ and a day. What was entered after `since` stays, except that an opt-out replaces a consent: a part can be sent again',
    access: changes('suppression', 'required'),
    action: 'suppression import',
    body: {
      account,
      recipients,
      state: oneOf(choiceStates, 'What the recipients have decided'),
      night: Type.Optional(flag('With agreed: to advertisements at night, too')),
      since: Type.Optional(
        text('Since which day in Korea, from 2000-01-01 to today; left out: now. Required with agreed', {
          pattern: '^\\d{4}-\\d{2}-\\d{2}$',
        }),
      ),
      fileSha256: Type.Optional(
        text(
          'Hash of the whole file, for the audit log; not recorded with 10 recipients or fewer, which are named',
          { pattern: '^[0-9a-f]{64}$' },
        ),
      ),
    },
    data: record(
      {
        changed: whole('Entries that changed'),
        kept: whole('Recipients for whom something else stays, which was entered after `since`'),
      },
      'The change',
    ),
    run: ({ body }, { database, audit, services: { encryption } }) => {
      const { fileSha256 } = body
      return changeChoices(database, audit, encryption, {
        account: body.account,
        numbers: readNumbers(body.recipients),
        choice: readImported(body),
        ...(fileSha256 === undefined ? {} : { fileSha256 }),
      })
    },
  }),
]
