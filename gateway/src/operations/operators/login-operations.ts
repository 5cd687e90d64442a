import { Type } from 'typebox'
import { maxPassword, minPassword, resetSecondFactor, setOperatorPassword } from './logins.ts'
import { flag, nullable, record, text } from '../fields.ts'
import { writeAccess, defineOperation } from '../operation.ts'
import { operatorName, requireKey, requireOther } from './fields.ts'

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
    summary: 'Set an initial console password for an operator; a generated one is returned once',
    description:
      'The operator replaces it at the next sign-in and enrols a second factor. Sessions of the operator end; an enrolled second factor is kept. Requires a key, not a session. Not allowed for your own name; use setOwnPassword.',
    access: writeAccess('operators', 'required'),
    action: 'operator password',
    params: { name: operatorName },
    body: { password: Type.Optional(newPassword) },
    data: record(
      {
        name: operatorName,
        password: nullable(text('The generated password, which is not stored; null if the request had one')),
      },
      'The password',
    ),
    run: async ({ params: { name }, body }, { database, audit, signed }) => {
      requireKey(signed)
      requireOther(signed, name, 'change your own password, or ')
      const password = await setOperatorPassword(database, audit, { name, initial: true, ...body })
      return { name, password: body.password === undefined ? password : null }
    },
  }),
  defineOperation({
    id: 'setOwnPassword',
    method: 'post',
    path: '/admin/v1/me/password',
    tag: 'Sign-in',
    summary: 'Set your own console password',
    description:
      'Your sessions end; the second factor is kept. Not allowed with a key that expires, because the password would outlive it. Requires a key, not a session.',
    access: writeAccess('read'),
    action: 'operator password',
    body: { password: newPassword },
    data: record({ name: operatorName }, 'The operator'),
    run: async ({ body: { password } }, { database, audit, signed }) => {
      requireKey(signed)
      const { name } = signed
      await setOperatorPassword(database, audit, { name, initial: false, password })
      return { name }
    },
  }),
  defineOperation({
    id: 'resetOperatorTotp',
    method: 'post',
    path: '/admin/v1/operators/{name}/totp/reset',
    tag: 'Operators',
    summary: 'Remove the second factor of an operator, who enrols a new one at the next sign-in',
    description:
      'Also removes its recovery codes. Sessions of the operator end. Anyone with the password can enrol, so set a new password if it may have leaked. Requires a key, not a session. Not allowed for your own name; ask another admin.',
    access: writeAccess('operators', 'required'),
    action: 'operator totp reset',
    command: { examples: ['kim --reason "phone lost"'] },
    params: { name: operatorName },
    data: record(
      { name: operatorName, reset: flag('Whether a second factor was enrolled') },
      'The second factor',
    ),
    run: async ({ params: { name } }, { audit, signed }) => {
      requireKey(signed)
      requireOther(signed, name, '')
      return { name, reset: await resetSecondFactor(audit, name) }
    },
  }),
]
