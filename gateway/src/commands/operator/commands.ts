/** Defines the commands of operators that do more than call one operation. The others are derived. */
import { Argument, Option, type Command } from 'commander'
import { changes, withoutOperator } from '../access.ts'
import { defineCommand, defineDatabaseCommand } from '../define.ts'
import { findGroup } from '../groups.ts'
import { wholeNumber } from '../options.ts'
import type { KeyOptions } from './key.ts'
import type { PasswordOptions } from './password.ts'

const keyDocument = '{"name":"kim","keyId":"7QK2M9XW04TZ","key":"postern_op_…","endsAt":null}'

const days = (): Option =>
  wholeNumber('--days <n>', 'days after which the key ends; never if left out', { min: 1, max: 3_650 })

export function defineOperator(program: Command): void {
  const operator = findGroup(program, ['operator'])
  defineCommand(operator, {
    name: 'password',
    summary: 'Set the password that an operator signs in to the console with.',
    details:
      'It is asked for on the terminal, or read as one line from standard input; with --generate it is made and printed. An operator sets the own password; a password that somebody else sets is a first one and must be replaced at the next sign-in. Sessions of the operator end. The second factor stays.',
    arguments: [new Argument('<name>', 'the operator')],
    options: [new Option('--generate', 'print a first password, to be replaced at the next sign-in')],
    operation: 'setOwnPassword',
    examples: ['operator password kim --generate --reason "is new"', 'operator password kim < file'],
    json: '{"name":"kim","first":true,"password":"4N0E…"}',
    call: async (admin, name: string, options: PasswordOptions) =>
      (await import('./password.ts')).changePassword(admin, name, options),
  })
  defineCommand(findGroup(program, ['operator', 'key']), {
    name: 'rotate',
    summary: 'Replace the key that you sign in with, and print the new one.',
    details:
      'The former key is refused at once. The new one ends when the former would have, or earlier. A profile that has the former key gets the new one.',
    options: [days()],
    operation: 'rotateOwnKey',
    examples: ['operator key rotate'],
    failures: ['there are no operators'],
    json: keyDocument,
    call: async (admin, options: KeyOptions) => (await import('./key.ts')).rotateOwnKey(admin, options),
    forEveryKey: true,
  })
  defineDatabaseCommand(operator, {
    name: 'recover',
    summary: 'Make a key for an operator without signing in, as the owner of the database.',
    details:
      'For an installation whose admins have lost their keys. All keys that the operator had are revoked. POSTERN_DATABASE_URL must name the owner of the tables.',
    arguments: [new Argument('<name>', 'the operator')],
    options: [days()],
    access: withoutOperator(changes('operators', 'required')),
    examples: ['operator recover kim --reason "all keys are lost"'],
    failures: ['there is no such operator', 'the database user does not own the tables'],
    json: keyDocument,
    databaseOnly: 'it is for operators who cannot sign in',
    run: async (invocation, name: string, options: KeyOptions) =>
      (await import('./key.ts')).recoverKey(invocation, name, options),
  })
}
