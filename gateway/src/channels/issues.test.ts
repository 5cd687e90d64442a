import assert from 'node:assert/strict'
import { test } from 'node:test'
import { invalidField, Problem } from '../contract/problem.ts'
import { Issues, maxIssues, requireValid } from './issues.ts'

const fieldsOf = (issues: Issues) => issues.all.map((problem) => 'field' in problem && problem.field)

test('a send keeps only the first issue and stops checking', () => {
  const issues = new Issues('first')
  assert.equal(issues.isSettled(), false)
  issues.throwFirst()
  issues.add(invalidField('A302', 'from'))
  issues.add(invalidField('A306', 'to'))
  assert.equal(issues.isSettled(), true)
  assert.deepEqual(fieldsOf(issues), ['from'])
  assert.throws(() => issues.throwFirst(), { code: 'A302' })
})

test('a dry run keeps issues up to the limit, counts the others and never stops checking', () => {
  const issues = new Issues('all')
  for (let index = 0; index < maxIssues + 3; index++) issues.add(invalidField('A303', `text${index}`))
  assert.deepEqual([issues.all.length, issues.omitted, issues.isSettled()], [maxIssues, 3, false])
})

test('an issue hides later issues of its field, or of sibling fields', () => {
  const issues = new Issues('all', { hidden: ['earlier'] })
  issues.add(invalidField('A303', 'earlier.text'))
  issues.add(invalidField('A503', 'button'), 'button')
  issues.add(invalidField('A525', 'button[0].name'))
  issues.add(invalidField('A503', 'buttons'))
  issues.add(invalidField('A523', 'fallback.type'), 'fallback.')
  issues.add(invalidField('A314', 'fallback.text'))
  issues.add(invalidField('A302', 'fallback.from'))
  issues.add(new Problem('A920', 'not about a field'))
  assert.deepEqual(fieldsOf(issues), ['button', 'buttons', 'fallback.type', 'fallback.from', false])
  assert.deepEqual(issues.hidden, ['earlier', 'button', 'fallback.'])
})

test('oncePerField keeps the first issue of each field, and none of the excepted', () => {
  const issues = new Issues('all')
  const add = (...fields: string[]) => fields.forEach((field) => issues.add(invalidField('A314', field)))
  const returned = issues.oncePerField(['from'], () => {
    add('text', 'from', 'text')
    return 'step'
  })
  add('text', 'from')
  assert.equal(returned, 'step')
  assert.deepEqual(fieldsOf(issues), ['text', 'text', 'from'])
})

test('requireValid returns what the checks return, or throws the first issue', () => {
  assert.equal(
    requireValid(() => 'draft'),
    'draft',
  )
  assert.throws(
    () =>
      requireValid((issues) => {
        issues.add(invalidField('A302', 'from'))
        return null
      }),
    { code: 'A302', field: 'from' },
  )
})
