/** Definitions of `postern operator …`. */
import { Argument, Option, type Command } from 'commander'
import { isOperatorName } from '../../operators/name.ts'
import type { NewOperator } from '../../acts/operators.ts'
import { operatorRoles, roles, type Role } from '../../operators/rights.ts'
import { changes, withoutOperator } from '../access.ts'
import { defineCommand, defineGroup, defineDatabaseCommand } from '../define.ts'
import { UsageError } from '../errors.ts'
import { oneOf, wholeNumber } from '../options.ts'
import type { AddKeyOptions, KeyOptions } from './key.ts'
import type { PasswordOptions } from './calls.ts'

const unknown = 'there is no such operator'
const lastAdmin = 'no admin who can sign in would be left'
const operatorDocument =
  '{"name":"kim","role":"operator","account":null,"disabledAt":null,"createdAt":"…","createdBy":"lee","issuer":null,"password":"own","totp":true,"keys":[{"keyId":"7QK2M9XW04TZ","initial":false,"createdAt":"…","createdBy":"kim","endsAt":null,"revokedAt":null}]}'
const keyDocument = '{"name":"kim","keyId":"7QK2M9XW04TZ","key":"postern_op_…","endsAt":null}'

const nameArgument = (): Argument =>
  new Argument('<name>', 'the operator: 1 to 64 lower-case letters, digits and . _ @ -').argParser(
    (text: string) => {
      if (isOperatorName(text)) return text
      throw new UsageError(
        `'${text}' is not a name: it must be 1 to 64 lower-case letters, digits and . _ @ -, and not unknown`,
      )
    },
  )
const days = (): Option =>
  wholeNumber('--days <n>', 'days after which the key ends; never when left out', { min: 1, max: 3_650 })

export function defineOperator(program: Command): void {
  const operator = defineGroup(program, {
    name: 'operator',
    summary: 'Manage the people who run commands, their roles and their keys.',
    examples: ['operator add kim --role admin', 'operator list'],
  })
  defineCommand(operator, {
    name: 'add',
    summary: 'Add an operator and print the first key.',
    details:
      'From the first operator on, every command but the processes and `postern migrate` needs the key of an operator. The key is printed once. It is for the operator alone, who replaces it with `postern operator key rotate` before anything else. The first operator must be an admin. With the role client it is the login of a client: it reaches the account alone, in the console, and runs no command; give it a first password with `postern operator password`.',
    arguments: [nameArgument()],
    required: [
      oneOf('--role <role>', 'what the operator may do: docs/operations/operators.md', operatorRoles),
    ],
    options: [
      days(),
      new Option('--account <client-id>', 'with the role client: the account that the login is for'),
    ],
    operation: 'addOperator',
    examples: [
      'operator add kim --role admin',
      'operator add lee --role support --days 90',
      'operator add park@shop.example --role client --account shop',
    ],
    failures: ['the name is taken', 'the first operator is not an admin', 'there is no such account'],
    json: keyDocument,
    call: async (admin, name: string, options: NewOperator) =>
      (await import('./calls.ts')).addOperator(admin, name, options),
  })
  defineCommand(operator, {
    name: 'list',
    summary: 'List the operators, with their roles and keys.',
    operation: 'listOperators',
    examples: ['operator list'],
    json: `{"operators":[${operatorDocument}]}`,
    call: async (admin) => (await import('./calls.ts')).listAll(admin),
  })
  defineCommand(operator, {
    name: 'role',
    summary: 'Give an operator another role.',
    arguments: [
      nameArgument(),
      new Argument('<role>', roles.join(', ')).argParser((text: string) => {
        const role = roles.find((candidate) => candidate === text)
        if (role !== undefined) return role
        throw new UsageError(`the role must be one of ${roles.join(', ')}, not '${text}'`)
      }),
    ],
    operation: 'setOperator',
    examples: ['operator role lee operator --reason "moved to the night shift"'],
    failures: [unknown, lastAdmin, 'the operator is one of a client'],
    json: '{"name":"lee","role":"operator"}',
    call: async (admin, name: string, role: Role) =>
      (await import('./calls.ts')).changeRole(admin, name, role),
  })
  for (const [name, disabled] of [
    ['disable', true],
    ['enable', false],
  ] as const)
    defineCommand(operator, {
      name,
      summary: disabled ? 'Refuse an operator from now on.' : 'Let a disabled operator sign in again.',
      arguments: [nameArgument()],
      operation: `${name}Operator`,
      examples: [`operator ${name} lee --reason "${disabled ? 'has left' : 'is back'}"`],
      failures: [unknown, ...(disabled ? [lastAdmin] : [])],
      json: `{"name":"lee","disabled":${disabled}}`,
      call: async (admin, operatorName: string) =>
        (await import('./calls.ts')).setDisabled(admin, operatorName, disabled),
    })
  defineOperatorKeys(operator)
  defineBrowserSignIn(operator)
}

/** For the admin API and its console. */
function defineBrowserSignIn(operator: Command): void {
  const provided = 'the operator signs in with an OpenID provider'
  defineCommand(operator, {
    name: 'password',
    summary: 'Set the password that an operator signs in to the console with.',
    details:
      'It is asked for on the terminal, or read as one line from standard input; with --generate it is made and printed. An operator sets the own password; a password that somebody else sets is a first one and must be replaced at the next sign-in. Sessions of the operator end. The second factor stays.',
    arguments: [nameArgument()],
    options: [new Option('--generate', 'print a first password, to be replaced at the next sign-in')],
    operation: 'setOwnPassword',
    examples: ['operator password kim --generate', 'operator password kim < file'],
    failures: [
      unknown,
      provided,
      'the password is too short',
      'another operator than yourself, without being an admin',
    ],
    json: '{"name":"kim","first":true,"password":"4N0E…"}',
    call: async (admin, name: string, options: PasswordOptions) =>
      (await import('./calls.ts')).changePassword(admin, name, options),
  })
  const totp = defineGroup(operator, {
    name: 'totp',
    summary: 'Manage the second factor that operators sign in to the console with.',
    examples: ['operator totp reset kim --reason "phone lost"'],
  })
  defineCommand(totp, {
    name: 'reset',
    summary: 'Remove the second factor of an operator, who enrols another at the next sign-in.',
    details:
      'With its recovery codes. Sessions of the operator end. Whoever has the password can enrol: if it may be known to others, set another one with `postern operator password` as well.',
    arguments: [nameArgument()],
    operation: 'resetOperatorTotp',
    examples: ['operator totp reset kim --reason "phone lost"'],
    failures: [unknown, provided],
    json: '{"name":"kim","reset":true}',
    call: async (admin, name: string) => (await import('./calls.ts')).resetSecondFactor(admin, name),
  })
}

function defineOperatorKeys(operator: Command): void {
  const key = defineGroup(operator, {
    name: 'key',
    summary: 'Manage the keys that operators sign in with.',
    examples: ['operator key rotate', 'operator key add kim'],
  })
  defineCommand(key, {
    name: 'add',
    summary: 'Make another first key for an operator and print it.',
    details:
      'For an operator whose key has ended or is lost. The operator replaces it with `postern operator key rotate` before anything else. First keys that were made before and not used are revoked.',
    arguments: [nameArgument()],
    options: [
      days(),
      new Option('--replace', 'also when the operator has a key that works; it is revoked with all others'),
    ],
    operation: 'addOperatorKey',
    examples: ['operator key add kim --days 90', 'operator key add kim --replace --reason "laptop lost"'],
    failures: [unknown, 'the operator has a key that works, without --replace'],
    json: keyDocument,
    call: async (admin, name: string, options: AddKeyOptions) =>
      (await import('./calls.ts')).addKey(admin, name, options),
  })
  defineCommand(key, {
    name: 'rotate',
    summary: 'Replace the key that you sign in with, and print the new one.',
    details:
      'The former key is refused at once. The new one ends when the former would have, or earlier. A profile that has the former key gets the new one.',
    options: [days()],
    operation: 'rotateOwnKey',
    examples: ['operator key rotate'],
    failures: ['there are no operators'],
    json: keyDocument,
    call: async (admin, options: KeyOptions) => (await import('./calls.ts')).rotateOwnKey(admin, options),
    forEveryKey: true,
  })
  defineCommand(key, {
    name: 'revoke',
    summary: 'End a key for good.',
    arguments: [new Argument('<key-id>', 'the key, as `postern operator list` prints it')],
    operation: 'revokeOperatorKey',
    examples: ['operator key revoke 7QK2M9XW04TZ --reason "laptop lost"'],
    failures: ['there is no such key, or it was revoked', lastAdmin],
    json: '{"keyId":"7QK2M9XW04TZ","revoked":true}',
    call: async (admin, keyId: string) => (await import('./calls.ts')).revokeKey(admin, keyId),
  })
  defineDatabaseCommand(operator, {
    name: 'recover',
    summary: 'Make a key for an operator without signing in, as the owner of the database.',
    details:
      'For an installation whose admins have lost their keys. All keys that the operator had are revoked. POSTERN_DATABASE_URL must name the owner of the tables.',
    arguments: [nameArgument()],
    options: [days()],
    access: withoutOperator(changes('operators', 'required')),
    examples: ['operator recover kim --reason "all keys are lost"'],
    failures: [unknown, 'the database user does not own the tables'],
    json: keyDocument,
    databaseOnly: 'it is for operators who cannot sign in',
    run: async (invocation, name: string, options: KeyOptions) =>
      (await import('./key.ts')).recoverKey(invocation, name, options),
  })
}
