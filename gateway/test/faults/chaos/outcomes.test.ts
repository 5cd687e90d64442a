import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Report } from '../../support/processes/account-client.ts'
import type { FaultRun } from './fault-runs.ts'
import { messageKinds, findRef, type MessageKind } from './message-mix.ts'
import { checkMessageReports, findLoss } from './outcomes.ts'

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

test('a step whose job was lost ends at its deadline, and the next one starts', () => {
  const endOverdue = (name: string, ...codes: string[]): string =>
    checkMessageReports(
      kindNamed(name),
      codes.map((reportCode) => ({ reportCode }) as Report),
      true,
    ).kind
  assert.equal(endOverdue('sms', '22000'), 'overdue')
  assert.equal(endOverdue('rcs, then sms', '33101', '22000'), 'overdue')
  assert.equal(endOverdue('sms, then alimtalk, both fail', '22000', '63019'), 'overdue')
  assert.equal(endOverdue('sms, then alimtalk, both fail', '22000'), 'wrong')
  assert.equal(endOverdue('sms, never a receipt', '22000'), 'expected')
  assert.equal(endOverdue('sms', '10000'), 'expected')
})

test('only a message sent around the fault can lose the job or receipt that the fault loses', () => {
  const [injectedAt, repairedAt] = [20_000, 25_000]
  const faultRuns = [{ fault: { loses: 'jobs' }, injectedAt, repairedAt } as FaultRun]
  const canLose = (lost: 'jobs' | 'receipts', sentAt: number): boolean =>
    findLoss({ firstSentAt: sentAt, repliedAt: sentAt }, lost, faultRuns) !== undefined
  const withoutJob = [4_999, 5_000, 25_000, 25_001].map((at) => canLose('jobs', at))
  assert.deepEqual(withoutJob, [false, true, true, false])
  assert.equal(canLose('receipts', 20_000), false)
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
