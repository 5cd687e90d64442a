/**
 * The stage of one check: the carrier, a connector that is linked to it, and what the connector reports. Everything is
 * closed when the check ends. Used by the suite.
 */
import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import type { Connector, Receipt, Submission, SubmitOutcome } from '../../src/connectors/connector.ts'
import { createConnector, createInbound, takesOf } from '../../src/connectors/registry.ts'
import { recorded, submission, type Recorded } from '../support/smpp/fixtures.ts'
import { waitFor, withTimeout } from '../support/wait.ts'
import type { CarrierPeer, Conformance, Harness } from './peer.ts'

/** The limit of an outcome, with time limits of two seconds in the connector. */
const maxOutcomeMs = 15_000

type Options = Readonly<Record<string, unknown>>
type Store = (receipt: Receipt) => Promise<void>

export interface Stage {
  readonly peer: CarrierPeer
  readonly connector: Connector
  readonly record: Recorded
  /** How receipts are stored from now on; before, they are at once. */
  storeBy(store: Store): void
  /** A new submission; fails when it has no outcome in time. */
  submit(): Promise<SubmitOutcome>
  /** Waits until one is accepted. */
  accepts(): Promise<void>
  /** Another connector to the same carrier. */
  open(options: Options): Connector
}

let references = 0

/** One that the carrier takes, with a reference of its own. */
export function nextSubmission({ kind, submission: given }: Conformance): Submission {
  const reference = `20261115000000000C00A${String(++references).padStart(11, '0')}-1-1-1`
  const base = submission({ reference, ...given })
  return takesOf(kind, {}) === 'message' ? { ...base, part: null } : base
}

export async function openStage(given: Conformance, t: TestContext): Promise<Stage> {
  const { kind, openFile } = given
  let store: Store = () => Promise.resolve()
  let options: Options = {}
  const record = recorded((receipt) => store(receipt))
  const context = { ...record.context, ...(openFile && { openFile }) }
  const peer = await given.open({ inbound: (request) => takeRequest(kind, options, record, request) })
  const opened: Connector[] = []
  // The connectors first: a carrier that is gone would delay their end.
  t.after(async () => {
    await Promise.all(opened.map((one) => one.stop(100)))
    await peer.close()
  })
  const open = (from: Options): Connector => {
    options = from
    const created = createConnector(kind, from, context)
    opened.push(created)
    created.start()
    return created
  }
  const connector = open(peer.options)
  const submit = (): Promise<SubmitOutcome> => within(connector.submit(nextSubmission(given)))
  await waitFor('the link', () => connector.linked)
  return {
    ...{ peer, connector, record, open, submit },
    storeBy(next) {
      store = next
    },
    async accepts() {
      await waitFor('an acceptance', async () => (await submit()).kind === 'accepted')
    },
  }
}

/** As the API does. */
async function takeRequest(
  kind: string,
  options: Options,
  record: Recorded,
  request: Parameters<Harness['inbound']>[0],
): ReturnType<Harness['inbound']> {
  const inbound = createInbound(kind, options)
  assert.ok(inbound, `${kind} has no inbound path`)
  const { receipts, answer } = inbound({
    ...{ method: 'POST', path: '/', query: new URLSearchParams(), headers: {}, body: Buffer.alloc(0) },
    ...request,
  })
  try {
    await Promise.all(receipts.map((receipt) => record.context.onReceipt(receipt)))
    return answer
  } catch {
    return { status: 503 }
  }
}

export function within<T>(work: Promise<T>): Promise<T> {
  return withTimeout('an outcome or the stop', work, { timeoutMs: maxOutcomeMs })
}
