import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Command } from 'commander'
import { notFound, OperationError, wrongField } from '../../operations/errors.ts'
import { explainRefusal } from './explain.ts'

const command = new Command('set').argument('<client-id>').option('--opt-out-numbers <list>')
const explain = (error: OperationError) => explainRefusal(error, command)

test('a field is printed as its option or argument if it has one', () => {
  assert.equal(explain(wrongField('optOutNumbers', 'is wrong')), '--opt-out-numbers is wrong')
  assert.equal(explain(wrongField('clientId', 'is wrong')), '<client-id> is wrong')
  assert.equal(explain(wrongField('options.password', 'is wrong')), "'options.password' is wrong")
})

test('the next command follows the message', () => {
  assert.match(explain(notFound('account', 'shop')), /^account 'shop' not found; `postern account list`/)
  assert.match(explain(notFound('key', 'k', { account: 'shop' })), /`postern account key list shop`/)
  const disabled = new OperationError('smpp-disabled', 'SMPP is disabled', { facts: { account: 'shop' } })
  assert.match(explain(disabled), /`postern account set shop --smpp-binds 2/)
})

test('an error without advice is printed unchanged', () => {
  assert.equal(explain(new OperationError('refused', 'it is full')), 'it is full')
})
