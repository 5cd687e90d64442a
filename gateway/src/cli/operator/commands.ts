/** Defines the operator commands that do more than print the response of an operation. The others are derived. */
import { Argument, Option, type Command } from 'commander'
import { writeCommandAccess, allowAnonymous } from '../access.ts'
import { defineCommand, defineDatabaseCommand } from '../define.ts'
import { findGroup } from '../groups.ts'
import { wholeNumber } from '../options.ts'
import type { KeyOptions } from './key.ts'
import type { OperatorPasswordOptions } from './password.ts'

const keyDocument = '{"name":"kim","keyId":"7QK2M9XW04TZ","key":"postern_op_…","endsAt":null}'

const days = (): Option =>
  wholeNumber('--days <n>', 'days until the key expires (default: never)', { min: 1, max: 3_650 })

export function defineOperator(program: Command): void {
  const operator = findGroup(program, ['operator'])
  defineCommand(operator, {
    name: 'password',
    summary: 'Set the console password of an operator.',
    details:
      'The command prompts for the password, or reads one line from standard input; --generate creates and prints one. A password that another operator sets must be replaced at the next sign-in. Sessions of the operator end. The second factor is kept.',
    arguments: [new Argument('<name>', 'the operator')],
    options: [
      new Option('--generate', 'create and print a first password, to be replaced at the next sign-in'),
    ],
    operation: 'setOwnPassword',
    examples: ['operator password kim --generate --reason "is new"', 'operator password kim < file'],
    json: '{"name":"kim","first":true,"password":"4N0E…"}',
    call: async (admin, name: string, options: OperatorPasswordOptions) =>
      (await import('./password.ts')).changePassword(admin, name, options),
  })
  defineCommand(findGroup(program, ['operator', 'key']), {
    name: 'rotate',
    summary: 'Replace the key that you sign in with, and print the new one.',
    details:
      'The old key is revoked immediately. The new key expires no later than the old one. A profile with the old key is updated.',
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
    summary: 'Create an operator key without signing in, as the database owner.',
    details:
      'For an installation whose admins have lost their keys. All existing keys of the operator are revoked. POSTERN_DATABASE_URL must connect as the table owner.',
    arguments: [new Argument('<name>', 'the operator')],
    options: [days()],
    access: allowAnonymous(writeCommandAccess('operators', 'required')),
    examples: ['operator recover kim --reason "all keys are lost"'],
    failures: ['the operator was not found', 'the database user does not own the tables'],
    json: keyDocument,
    databaseOnly: 'it is for operators who cannot sign in',
    run: async (invocation, name: string, options: KeyOptions) =>
      (await import('./key.ts')).recoverKey(invocation, name, options),
  })
}
