/** Definition of `postern ledger`. */
import { Option, type Command } from 'commander'
import { defineCommand } from '../define.ts'
import type { LedgerOptions } from './calls.ts'

export function defineLedger(program: Command): void {
  defineCommand(program, {
    name: 'ledger',
    summary: 'Check that every accepted message is final or in flight, per account.',
    details:
      'accepted = final + in flight at every moment; the gap is 0. A gap is listed by account and day of acceptance. "At gate" counts messages that the broker confirmed and that were neither recorded nor parked: they were lost in the first queue. It is listed by account, minute and API process, seven minutes after the loss at the earliest.',
    options: [
      new Option(
        '--acknowledge',
        'no longer report what is missing at the gate now, after its cause was found; print it once more',
      ),
    ],
    operation: 'acknowledgeLedger',
    reason: 'optional',
    examples: ['ledger', 'ledger --json | jq .total.gap', 'ledger --acknowledge'],
    failures: ['there is a gap, or messages are missing at the gate'],
    json: '{"accounts":[{"accountId":1,"clientId":"shop-1","accepted":10,"final":9,"inFlight":1,"gap":0,"atGate":0}],"total":{"accountId":0,"clientId":"total","accepted":10,"final":9,"inFlight":1,"gap":0,"atGate":0},"gaps":[{"day":"20261115","accountId":1,"accepted":10,"final":9,"inFlight":0,"gap":1}],"gate":[]}',
    call: async (admin, options: LedgerOptions) => (await import('./calls.ts')).showLedger(admin, options),
  })
}
