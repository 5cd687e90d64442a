/** Which outcomes are correct after a fault: a lost step or a wrong code never counts as a doubt that the fault explains. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Report } from '../support/processes/account-client.ts'
import { kinds, refIn, type Kind } from './message-mix.ts'
import { judgeReports } from './outcomes.ts'

const kindNamed = (name: string): Kind => kinds.find((kind) => kind.name === name)!
const ending = (name: string, ...codes: string[]): string =>
  judgeReports(
    kindNamed(name),
    codes.map((reportCode) => ({ reportCode }) as Report),
  ).kind

test('accepts the reports that a kind of message must have', () => {
  for (const kind of kinds) {
    assert.equal(ending(kind.name, ...kind.reports.map(({ code }) => code)), 'expected', kind.name)
  }
})

test('rejects a missing report, a surplus report and one with another code', () => {
  assert.equal(ending('sms'), 'wrong')
  assert.equal(ending('sms', '10000', '10000'), 'wrong')
  assert.equal(ending('sms', '22000'), 'wrong')
  assert.equal(ending('rcs, then sms', '33101'), 'wrong')
  assert.equal(ending('rcs, then sms', '10000'), 'wrong')
})

test('an unknown outcome and a lost sandbox receipt are in doubt, and the next step must still run', () => {
  assert.equal(ending('sms', '99999'), 'doubtful')
  assert.equal(ending('rcs, then sms', '32000', '10000'), 'doubtful')
  assert.equal(ending('rcs, then sms', '32000'), 'wrong')
  assert.equal(ending('alimtalk', '63005', '10000'), 'doubtful')
})

test('the shares make a hundred, and every part of a text names its message', () => {
  assert.equal(
    kinds.reduce((sum, { share }) => sum + share, 0),
    100,
  )
  for (const kind of kinds) {
    const body = kind.request('c12-345.2', '10002000').body as { text?: string }
    for (let at = 0; at < (body.text?.length ?? 0); at += 153) {
      assert.equal(refIn(body.text!.slice(at, at + 153)), 'c12-345.2', kind.name)
    }
  }
})
