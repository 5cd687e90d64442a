import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Report } from '../../support/processes/account-client.ts'
import { checkChaosRun } from './check-run.ts'
import type { ChaosEvidence } from './evidence.ts'
import type { ChaosSend, SendReply } from './load.ts'
import { messageKinds } from './message-mix.ts'

/** Checks a run with one send, with ref `one`, whose reports have these keys. */
function check(reply: SendReply, ...msgKeys: readonly string[]): string {
  const send: ChaosSend = {
    ref: 'one',
    kind: messageKinds[0]!,
    isKeyed: true,
    firstSentAt: 0,
    sentAt: 0,
    reply,
    repliedAt: 0,
  }
  const report = { ref: 'one', reportCode: '23001', serviceType: 'SMS' } as Report
  const evidence = {
    load: { requests: [], sends: new Map([['one', send]]) },
    poller: {
      reports: new Map(msgKeys.map((msgKey) => [msgKey, [report]])),
      reportedTwice: [],
      longestStall: () => 0,
    },
    ledger: { gap: 0, inFlight: 0, final: msgKeys.length, accepted: msgKeys.length },
    faultRuns: [],
    submissions: [],
    duplicates: [],
    unknownSteps: [],
  } as unknown as ChaosEvidence
  return checkChaosRun(evidence).findings.join()
}

test('a repeat with an Idempotency-Key that is accepted as another message is a finding', () => {
  const accepted: SendReply = { kind: 'accepted', msgKey: 'A' }
  assert.doesNotMatch(check(accepted, 'A'), /Idempotency-Key/)
  assert.match(check(accepted, 'A', 'B'), /repeats with an Idempotency-Key accepted as another message/)
})

test('a send without a response that is accepted twice is a finding', () => {
  const unanswered: SendReply = { kind: 'unanswered', reason: 'socket hang up' }
  assert.doesNotMatch(check(unanswered, 'A'), /accepted/)
  assert.match(check(unanswered, 'A', 'B'), /uncertain sends accepted twice/)
})
