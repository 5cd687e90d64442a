/**
 * A connector without a carrier for all channels. The recipient's number or an option of the route decides the outcome, so that a
 * client can test the whole API. Receipts are kept in this process until they are due; `stop` sends the rest early, because a
 * route changes its owner whenever a worker joins. A receipt that is lost with its process never arrives, as with a carrier.
 */
import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { Connector, ConnectorContext, Receipt, Submission, SubmitOutcome } from '../connector.ts'
import { selectSandboxBehaviour, standardOptions, type SandboxOptions } from './behaviour.ts'
import { codePrefix, idPrefix } from './marks.ts'

const receiptDelayMs = 100
const retryAfterMs = 1_000
const repeatMs = 1_000
const maxStopMs = 2_000
/** Maximum number of receipts in memory, so that a slow carrier with fast clients does not exhaust it. */
export const maxPending = 10_000

export function createSandboxConnector(
  context: ConnectorContext,
  options: SandboxOptions = standardOptions,
): Connector {
  const pending = new Map<NodeJS.Timeout, Receipt>()
  let linked = false

  function schedule(delayMs: number, receipt: Receipt): void {
    const timer = setTimeout(() => {
      pending.delete(timer)
      context.onReceipt(receipt).catch(() => {
        // The broker is unavailable, which is logged elsewhere. Carriers also repeat an unacknowledged receipt.
        if (linked) schedule(repeatMs, receipt)
      })
    }, delayMs)
    pending.set(timer, receipt)
  }

  return {
    window: 1_000,
    get linked() {
      return linked
    },
    start() {
      linked = options.behaviour !== 'unreachable'
      context.onLink(linked, linked ? 'sandbox' : 'the route is set to be unreachable')
    },
    submit({ to, from, given }: Submission): Promise<SubmitOutcome> {
      if (!linked)
        return Promise.resolve({ kind: 'unreachable', code: `${codePrefix}link`, text: 'the link is down' })
      const behaviour = selectSandboxBehaviour(options, to, given.channel)
      if (behaviour === 'throttled' || (behaviour.receipt !== null && pending.size >= maxPending))
        return Promise.resolve({ kind: 'throttled', code: `${codePrefix}throttled`, retryAfterMs })
      if (behaviour.refused !== undefined) {
        const { description, refused } = behaviour
        return Promise.resolve({
          kind: 'refused',
          cause: refused,
          code: `${codePrefix}${refused}`,
          text: description,
        })
      }
      const carrierId = idPrefix + randomUUID()
      const cause = behaviour.receipt
      if (cause !== null) {
        schedule(behaviour.delayMs ?? receiptDelayMs, {
          carrierId,
          result: cause === 'delivered' ? 'delivered' : 'failed',
          cause,
          ...(behaviour.reportCode === undefined ? {} : { reportCode: behaviour.reportCode }),
          code: `${codePrefix}${cause}`,
          recipient: to,
          sender: from,
          at: null,
        })
      }
      return Promise.resolve({ kind: 'accepted', carrierId })
    },
    async stop(limitMs = maxStopMs) {
      linked = false
      context.onLink(false, 'stopped')
      const receipts = [...pending.values()]
      for (const timer of pending.keys()) clearTimeout(timer)
      pending.clear()
      const sent = Promise.allSettled(receipts.map((receipt) => context.onReceipt(receipt)))
      await Promise.race([sent, pause(Math.min(limitMs, maxStopMs), undefined, { ref: false })])
    },
  }
}
