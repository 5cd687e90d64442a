/**
 * A connector without a carrier: for every channel, the recipient's number decides the outcome, so that a client can try
 * the whole API. Receipts are kept in this process; one that is lost in a restart never arrives, as can happen with a
 * carrier.
 */
import { randomUUID } from 'node:crypto'
import type { Connector, ConnectorContext, Receipt, Submission, SubmitOutcome } from '../connector.ts'
import { endingOf } from './endings.ts'

const receiptDelayMs = 100
const repeatMs = 1_000

export function createSandboxConnector(context: ConnectorContext): Connector {
  const timers = new Set<NodeJS.Timeout>()
  let linked = false

  function schedule(delayMs: number, receipt: Receipt): void {
    const timer = setTimeout(() => {
      timers.delete(timer)
      context.onReceipt(receipt).catch(() => {
        // The broker is unavailable, which is logged elsewhere. A carrier repeats an unacknowledged receipt, too.
        if (linked) schedule(repeatMs, receipt)
      })
    }, delayMs)
    timers.add(timer)
  }

  return {
    window: 1_000,
    get linked() {
      return linked
    },
    start() {
      linked = true
      context.onLink(true, 'sandbox')
    },
    submit({ to, from }: Submission): Promise<SubmitOutcome> {
      const ending = endingOf(to)
      if (ending.refused !== undefined) {
        const { what, refused } = ending
        return Promise.resolve({ kind: 'refused', cause: refused, code: `sandbox:${refused}`, text: what })
      }
      const carrierId = randomUUID()
      const cause = ending.receipt
      if (cause !== null) {
        schedule(ending.delayMs ?? receiptDelayMs, {
          carrierId,
          result: cause === 'delivered' ? 'delivered' : 'failed',
          cause,
          code: `sandbox:${cause}`,
          recipient: to,
          sender: from,
          at: null,
        })
      }
      return Promise.resolve({ kind: 'accepted', carrierId })
    },
    stop() {
      linked = false
      for (const timer of timers) clearTimeout(timer)
      timers.clear()
      context.onLink(false, 'stopped')
      return Promise.resolve()
    },
  }
}
