/** How operators sign in to the console: passwords that admins give, the own one, and the second factor. */
import { Type } from 'typebox'
import {
  maxPassword,
  minPassword,
  resetSecondFactor,
  setOperatorPassword,
} from '../../acts/operator-logins.ts'
import { flag, nullable, record, text } from '../fields.ts'
import { changes, defineOperation } from '../operation.ts'
import { operatorName, requireKey, requireOther } from './operator-fields.ts'

const newPassword = text(`${minPassword} to ${maxPassword} characters`, {
  minLength: minPassword,
  maxLength: maxPassword,
})

export const operatorLoginOperations = [
  defineOperation({
    id: 'giveOperatorPassword',
    method: 'post',
    path: '/admin/v1/operators/{name}/password',
    tag: 'Operators',
    summary: 'Give an operator a first password for the console; a generated one is answered once',
    description:
      'Its operator replaces it at the next sign-in, and enrols a second factor. Sessions of the operator end; a second factor stays. With a key alone: a session signs no change of operators. Refused for the own name: see setOwnPassword.',
    access: changes('operators', 'required'),
    action: 'operator password',
    params: { name: operatorName },
    body: { password: Type.Optional(newPassword) },
    data: record(
      {
        name: operatorName,
        password: nullable(text('The generated password, which is not stored; null: it was given')),
      },
      'The password',
    ),
    run: async ({ params: { name }, body }, { database, audit, signed }) => {
      requireKey(signed)
      requireOther(signed, name, 'change your own password, or ')
      const password = await setOperatorPassword(database, audit, { name, first: true, ...body })
      return { name, password: body.password === undefined ? password : null }
    },
  }),
  defineOperation({
    id: 'setOwnPassword',
    method: 'post',
    path: '/admin/v1/me/password',
    tag: 'Sign-in',
    summary: 'Set the own password for the console',
    description:
      'Own sessions end; the second factor stays. Refused with a key that ends: the password would outlive it. With a key alone.',
    access: changes('read'),
    action: 'operator password',
    body: { password: newPassword },
    data: record({ name: operatorName }, 'Whose password it is'),
    run: async ({ body: { password } }, { database, audit, signed }) => {
      requireKey(signed)
      const { name } = signed
      await setOperatorPassword(database, audit, { name, first: false, password })
      return { name }
    },
  }),
  defineOperation({
    id: 'resetOperatorTotp',
    method: 'post',
    path: '/admin/v1/operators/{name}/totp/reset',
    tag: 'Operators',
    summary: 'Remove the second factor of an operator, who enrols another at the next sign-in',
    description:
      'With its recovery codes. Sessions of the operator end. Whoever has the password can enrol: if others may know it, give another one as well. With a key alone. Refused for the own name: another admin does it.',
    access: changes('operators', 'required'),
    action: 'operator totp reset',
    command: { examples: ['kim --reason "phone lost"'] },
    params: { name: operatorName },
    data: record({ name: operatorName, reset: flag('Whether one was enrolled') }, 'The second factor'),
    run: async ({ params: { name } }, { audit, signed }) => {
      requireKey(signed)
      requireOther(signed, name, '')
      return { name, reset: await resetSecondFactor(audit, name) }
    },
  }),
]
