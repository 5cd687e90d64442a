/** POST /admin/v1/senders/import: a part of a file of senders. */
import { Type, type Static } from 'typebox'
import { findAccounts } from '../../accounts/queries.ts'
import { OperationError } from '../../acts/errors.ts'
import {
  accountIdsByClientId,
  importSenders,
  readSenders,
  today,
  type GivenSender,
} from '../../acts/import-senders.ts'
import { clock } from '../../platform/clock.ts'
import { senderKinds } from '../../trust/senders/sender.ts'
import { clientId, flag, list, oneOf, record, text, whole } from '../fields.ts'
import { changes, defineOperation } from '../operation.ts'
import { lastDay, proofFields, senderValue, toProof } from './sender-fields.ts'
import { guessesAreBounded, requireNoGuesses } from './sender-lookup.ts'

const maxSenders = 500

const Given = record(
  {
    line: whole('Line of the file, for errors', { minimum: 1, maximum: 1_000_000 }),
    account: clientId,
    kind: oneOf(senderKinds, 'What it is'),
    value: senderValue,
    validUntil: Type.Optional(lastDay('without it there is no end')),
    ...proofFields,
  },
  'A sender',
  { title: 'SenderImportRow' },
)

function toGiven({ validUntil, proof, ...sender }: Static<typeof Given>): GivenSender {
  return {
    ...sender,
    validUntil: validUntil ?? null,
    proof: proof === undefined ? null : toProof(proof),
  }
}

export const importOperation = defineOperation({
  id: 'importSenders',
  method: 'post',
  path: '/admin/v1/senders/import',
  tag: 'Senders',
  summary:
    'Register a part of a list of senders of any accounts. What is registered already changes nothing: a part can be sent again',
  description: `Every sender is checked before any is stored. With \`dryRun\` nothing is stored, and \`errors\` names what is wrong; without it the first error refuses the whole part. Senders that are blocked or were rejected stay so. ${guessesAreBounded}`,
  access: changes('senders'),
  action: 'sender import',
  body: {
    senders: Type.Array(Given, { minItems: 1, maxItems: maxSenders, description: 'Senders' }),
    approve: Type.Optional(flag('Make them active at once, each with its proof; otherwise they are pending')),
    dryRun: Type.Optional(flag('Only check them')),
    fileSha256: Type.Optional(
      text('Hash of the whole file, for the audit log', { pattern: '^[0-9a-f]{64}$' }),
    ),
  },
  data: record(
    {
      changed: whole('Senders that are new or changed'),
      blocked: whole('Senders that are blocked and stay so'),
      rejected: whole('Senders that were rejected and stay so'),
      errors: list(
        record({ line: whole('Its line'), error: text('What is wrong with it') }, 'A sender'),
        'With `dryRun`: what would be refused',
      ),
    },
    'The import',
  ),
  run: async ({ body }, { database, audit, signed, services: { encryption, config } }) => {
    const { approve = false, dryRun = false, fileSha256 } = body
    const accounts = await findAccounts(database, [...new Set(body.senders.map(({ account }) => account))])
    const { senders, errors } = readSenders(body.senders.map(toGiven), {
      accountOf: accountIdsByClientId(accounts),
      approve,
      today: today(clock.date()),
      allowedKinds: config.senderKinds ?? [],
    })
    if (dryRun) {
      audit.unchanged()
      return { changed: 0, blocked: 0, rejected: 0, errors: [...errors] }
    }
    const [first] = errors
    if (first !== undefined)
      throw new OperationError(
        'invalid-request',
        `line ${first.line}: ${first.error}; nothing of this part is stored`,
      )
    const keys = senders.map(({ registration }) => registration)
    await requireNoGuesses('sender import', keys, { database, audit, signed })
    const file = fileSha256 === undefined ? {} : { fileSha256 }
    const imported = await importSenders(database, audit, encryption, { senders, approve, ...file })
    return { ...imported, errors: [] }
  },
})
