import { Type } from 'typebox'
import { nullable, oneOf, text, time, whole } from '../fields.ts'

const result = oneOf(
  ['done', 'begun', 'failed', 'refused', 'looked'],
  'Result; looked: personal data was read',
)

export const rowFields = {
  seq: whole('Number of the row'),
  at: time('When it happened'),
  actor: text('Name of the actor'),
  role: text('Role of the actor; shell: without operators; process: by a process'),
  keyId: nullable(text('Id of the key')),
  source: text('The host of a command, or the address of a request'),
  requestId: text('Shared by all rows of one command or request'),
  action: text('Action: the name of the command that does the same'),
  result,
  target: text('Object of the action'),
  account: nullable(text('Client ID, if it concerns an account')),
  reason: text('Why'),
  details: Type.Unknown({ description: 'What changed' }),
  databaseUser: text('The database user that wrote the row'),
  previousHash: text('Hash of the previous row'),
  hash: text('Hash of the row, which covers that of the previous row'),
}
