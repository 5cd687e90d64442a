import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Report } from '../../support/processes/account-client.ts'
import { messageKinds, findRef, type MessageKind } from './message-mix.ts'
import { checkMessageReports } from './outcomes.ts'

const kindNamed = (name: string): MessageKind => messageKinds.find((kind) => kind.name === name)!
const ending = (name: string, ...codes: string[]): string =>
  checkMessageReports(
    kindNamed(name),
    codes.map((reportCode) => ({ reportCode }) as Report),
  ).kind

test('accepts the expected reports of each message kind', () => {
  for (const kind of messageKinds) {
    assert.equal(ending(kind.name, ...kind.reports.map(({ code }) => code)), 'expected', kind.name)
  }
})

test('rejects missing reports, surplus reports and other codes', () => {
  assert.equal(ending('sms'), 'wrong')
  assert.equal(ending('sms', '10000', '10000'), 'wrong')
  assert.equal(ending('sms', '22000'), 'wrong')
  assert.equal(ending('rcs, then sms', '33101'), 'wrong')
  assert.equal(ending('rcs, then sms', '10000'), 'wrong')
})

test('an unknown outcome or lost sandbox receipt is doubtful and starts the next step', () => {
  assert.equal(ending('sms', '99999'), 'doubtful')
  assert.equal(ending('rcs, then sms', '32000', '10000'), 'doubtful')
  assert.equal(ending('rcs, then sms', '32000'), 'wrong')
  assert.equal(ending('alimtalk', '63005', '10000'), 'doubtful')
})

test('percentages add up to 100, and every text part contains its ref', () => {
  assert.equal(
    messageKinds.reduce((sum, { percentage }) => sum + percentage, 0),
    100,
  )
  for (const kind of messageKinds) {
    const body = kind.request('c12-345.2', '10002000').body as { text?: string }
    for (let at = 0; at < (body.text?.length ?? 0); at += 153) {
      assert.equal(findRef(body.text!.slice(at, at + 153)), 'c12-345.2', kind.name)
    }
  }
})
