import { Type } from 'typebox'
import { changeChoices, showSuppressionEntry, readImported, readNumbers } from './suppression.ts'
import { choiceStates } from '../../trust/suppression/choice.ts'
import { flag, list, nullable, oneOf, record, text, time, whole } from '../fields.ts'
import { writeAccess, defineOperation, personalDataAccess } from '../operation.ts'

const account = Type.Optional(
  text('Client ID of the account; the list of all accounts if omitted', { minLength: 1, maxLength: 200 }),
)

const recipients = Type.Array(text('A number', { minLength: 3, maxLength: 40 }), {
  minItems: 1,
  maxItems: 1_000,
  description: 'Recipient numbers, as in send requests; up to 1,000',
})

const choiceFields = {
  state: text('suppressed, agreed or none'),
  night: flag('Whether a consent also covers the night'),
  since: nullable(time('Start of validity')),
  source: nullable(text('Source of the entry')),
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
      'The change takes effect in all processes within two seconds. Numbers are stored only as hashes. The account cannot revoke an entry of an operator.',
    access: writeAccess('suppression', 'required'),
    action: `suppression ${verb}`,
    command: { arguments: ['recipients'], examples: ['01012345678 --account shop-1 --reason "called us"'] },
    body: { account, recipients },
    data: record({ changed: whole('Changed entries') }, 'The change', { title: 'SuppressionChange' }),
    run: ({ body }, { database, audit, services: { encryption } }) => {
      const numbers = readNumbers(body.recipients)
      return changeChoices(database, audit, encryption, { account: body.account, numbers, choice: { state } })
    },
  })

export const suppressionOperations = [
  defineOperation({
    id: 'showSuppression',
    // Uses POST, because a phone number in a URL would appear in the logs of every proxy.
    method: 'post',
    path: '/admin/v1/suppression/show',
    tag: 'Rules',
    summary: 'Show the opt-out or consent of a recipient with its history; the access is recorded',
    description: 'Previous entries are kept for a year. The index identifies the recipient in the audit log.',
    access: personalDataAccess('suppression', 'required'),
    action: 'suppression show',
    command: {
      arguments: ['recipient'],
      examples: ['01012345678 --account shop-1 --reason "question of the recipient"'],
    },
    body: {
      account,
      recipient: text('Recipient number, as in send requests', { minLength: 3, maxLength: 40 }),
    },
    data: record(
      {
        ...choiceFields,
        index: nullable(text('Index of the recipient in the audit log')),
        history: list(
          record({ ...choiceFields, endedAt: time('End of validity') }, 'A previous entry', {
            title: 'SuppressionHistoryEntry',
          }),
          'Previous entries',
        ),
      },
      'Opt-out status of a recipient',
      { title: 'SuppressionEntry' },
    ),
    run: async ({ body }, { database, audit, services: { encryption } }) => {
      const [to = ''] = readNumbers([body.recipient])
      const { found, index, history } = await showSuppressionEntry(
        database,
        audit,
        encryption,
        body.account,
        to,
      )
      const nothing = { state: 'none', night: false, since: null, source: null, reason: null }
      return { ...(found ?? nothing), index, history: [...history] }
    },
  }),
  changeOperation('add', 'suppressed', 'Add recipients to the opt-out list'),
  changeOperation('remove', 'none', 'Remove recipients from the opt-out list'),
  defineOperation({
    id: 'importSuppression',
    method: 'post',
    path: '/admin/v1/suppression/import',
    tag: 'Rules',
    summary:
      'Import a part of a list of opt-outs, or of consents, which require the right _trust_ and a date. Consents and removals keep entries made after `since`, opt-outs replace them; a part can be sent again',
    access: writeAccess('suppression', 'required'),
    action: 'suppression import',
    body: {
      account,
      recipients,
      state: oneOf(choiceStates, 'State to store'),
      night: Type.Optional(flag('With agreed: whether the consent also covers the night')),
      since: Type.Optional(
        text(
          'Start of validity, a day in Korea from 2000-01-01 to today; now if omitted. Required with agreed',
          { pattern: '^\\d{4}-\\d{2}-\\d{2}$' },
        ),
      ),
      fileSha256: Type.Optional(
        text(
          'Hash of the whole file, for the audit log; not recorded for 10 recipients or fewer, which are listed',
          { pattern: '^[0-9a-f]{64}$' },
        ),
      ),
    },
    data: record(
      {
        changed: whole('Changed entries'),
        kept: whole('Recipients whose other entry, made after `since`, was kept'),
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
