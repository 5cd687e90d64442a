/** A row of the audit log as the operations answer it. Pure. */
import { Type } from 'typebox'
import { nullable, oneOf, text, time, whole } from '../fields.ts'

const result = oneOf(
  ['done', 'begun', 'failed', 'refused', 'looked'],
  'How it ended; looked: personal data was shown',
)

export const rowFields = {
  seq: whole('Number of the row'),
  at: time('When it happened'),
  actor: text('Who did it'),
  role: text('In which role; shell: without operators; process: by a process'),
  keyId: nullable(text('Id of the key')),
  source: text('The host of a command, or the address of a request'),
  requestId: text('The same for everything that one command or request did'),
  action: text('What was done: the name of the command that does the same'),
  result,
  target: text('What it was done to'),
  account: nullable(text('Client id, where it concerns an account')),
  reason: text('Why'),
  details: Type.Unknown({ description: 'What changed' }),
  databaseUser: text('The database user that wrote the row'),
  previousHash: text('Hash of the row before'),
  hash: text('Hash of the row, which covers that of the row before'),
}
