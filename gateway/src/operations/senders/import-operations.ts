import { Type, type Static } from 'typebox'
import { findAccounts } from '../../identity/accounts/queries.ts'
import { OperationError } from '../errors.ts'
import { accountIdsByClientId, importSenders, readSenders, today, type SenderRow } from './import.ts'
import { clock } from '../../platform/time/clock.ts'
import { senderKinds } from '../../trust/senders/sender.ts'
import { clientId, flag, list, oneOf, record, text, whole } from '../fields.ts'
import { writeAccess, defineOperation } from '../operation.ts'
import { lastDay, proofFields, senderValue, toProof } from './fields.ts'

const maxSenders = 500

const ImportedSender = record(
  {
    line: whole('Line of the file, for errors', { minimum: 1, maximum: 1_000_000 }),
    account: clientId,
    kind: oneOf(senderKinds, 'Kind of the sender'),
    value: senderValue,
    validUntil: Type.Optional(lastDay('no expiry if omitted')),
    ...proofFields,
  },
  'A sender',
  { title: 'SenderImportRow' },
)

function toSenderRow({ validUntil, proof, ...sender }: Static<typeof ImportedSender>): SenderRow {
  return { ...sender, validUntil: validUntil ?? null, proof: proof === undefined ? null : toProof(proof) }
}

export const importOperation = defineOperation({
  id: 'importSenders',
  method: 'post',
  path: '/admin/v1/senders/import',
  tag: 'Senders',
  summary: 'Register a part of a list of senders of any accounts; sending a part again changes nothing',
  description:
    'All senders are checked before any is stored. With `dryRun` nothing is stored and `errors` lists the problems; otherwise the first error rejects the whole part. Blocked and rejected senders keep their state.',
  access: writeAccess('senders'),
  action: 'sender import',
  body: {
    senders: Type.Array(ImportedSender, { minItems: 1, maxItems: maxSenders, description: 'Senders' }),
    approve: Type.Optional(flag('Approve them immediately, each with its proof; otherwise they are pending')),
    dryRun: Type.Optional(flag('Check them without storing')),
    fileSha256: Type.Optional(
      text('Hash of the whole file, for the audit log', { pattern: '^[0-9a-f]{64}$' }),
    ),
  },
  data: record(
    {
      changed: whole('New or changed senders'),
      blocked: whole('Senders that remain blocked'),
      rejected: whole('Senders that remain rejected'),
      errors: list(
        record({ line: whole('Its line'), error: text('The problem') }, 'A sender'),
        'With `dryRun`: senders that would be refused',
      ),
    },
    'The import',
  ),
  run: async ({ body }, { database, audit, services: { encryption, config } }) => {
    const { approve = false, dryRun = false, fileSha256 } = body
    const accounts = await findAccounts(database, [...new Set(body.senders.map(({ account }) => account))])
    const { senders, errors } = readSenders(body.senders.map(toSenderRow), {
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
        `line ${first.line}: ${first.error}; no sender of this part was stored`,
      )
    const file = fileSha256 === undefined ? {} : { fileSha256 }
    const imported = await importSenders(database, audit, encryption, { senders, approve, ...file })
    return { ...imported, errors: [] }
  },
})
