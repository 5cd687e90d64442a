import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import type {
  Connector,
  Receipt,
  Submission,
  SubmitOutcome,
} from '../../../src/carriers/connectors/connector.ts'
import {
  createConnector,
  createInbound,
  getSubmissionUnit,
} from '../../../src/carriers/connectors/registry.ts'
import { recorded, submission, type Recorded } from '../../support/smpp/fixtures.ts'
import { waitFor, withTimeout } from '../../support/wait.ts'
import type { CarrierPeer, ConformanceOptions, PeerHarness } from './peer.ts'

/** Limit for an outcome; the time limits of the connector are two seconds. */
const maxOutcomeMs = 15_000

type Options = Readonly<Record<string, unknown>>
type Store = (receipt: Receipt) => Promise<void>

/** A carrier, a connector linked to it and the recorded events of the connector. Closed when the check ends. */
export interface ConformanceTestBed {
  readonly peer: CarrierPeer
  readonly connector: Connector
  readonly record: Recorded
  /** Sets how receipts are stored. By default they are stored immediately. */
  setReceiptStore(store: Store): void
  /** Submits a new message. Fails if there is no outcome in time. */
  submit(): Promise<SubmitOutcome>
  /** Submits messages until one is accepted. */
  submitUntilAccepted(): Promise<void>
  /** Starts another connector to the same carrier. */
  openConnector(options: Options): Connector
}

let references = 0

/** Creates a submission with a unique reference that the carrier accepts. */
export function nextSubmission({ kind, submission: given }: ConformanceOptions): Submission {
  const reference = `20261115000000000C00A${String(++references).padStart(11, '0')}-1-1-1`
  const base = submission({ reference, ...given })
  return getSubmissionUnit(kind, {}) === 'message' ? { ...base, part: null } : base
}

export async function openConformanceTestBed(
  given: ConformanceOptions,
  t: TestContext,
): Promise<ConformanceTestBed> {
  const { kind, openFile } = given
  let store: Store = () => Promise.resolve()
  let options: Options = {}
  const record = recorded((receipt) => store(receipt))
  const context = { ...record.context, ...(openFile && { openFile }) }
  const peer = await given.open({ inbound: (request) => handleInbound(kind, options, record, request) })
  const opened: Connector[] = []
  // Stop connectors first: a closed carrier would delay their stop.
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
  const submit = (): Promise<SubmitOutcome> => withOutcomeTimeout(connector.submit(nextSubmission(given)))
  await waitFor('the link', () => connector.linked)
  return {
    peer,
    connector,
    record,
    openConnector: open,
    submit,
    setReceiptStore(next) {
      store = next
    },
    async submitUntilAccepted() {
      await waitFor('an acceptance', async () => (await submit()).kind === 'accepted')
    },
  }
}

/** Handles an inbound request like the API. */
async function handleInbound(
  kind: string,
  options: Options,
  record: Recorded,
  request: Parameters<PeerHarness['inbound']>[0],
): ReturnType<PeerHarness['inbound']> {
  const inbound = createInbound(kind, options)
  assert.ok(inbound, `${kind} has no inbound path`)
  const { receipts, response } = inbound({
    method: 'POST',
    path: '/',
    query: new URLSearchParams(),
    headers: {},
    body: Buffer.alloc(0),
    ...request,
  })
  try {
    await Promise.all(receipts.map((receipt) => record.context.onReceipt(receipt)))
    return response
  } catch {
    return { status: 503 }
  }
}

export function withOutcomeTimeout<T>(work: Promise<T>): Promise<T> {
  return withTimeout('an outcome or the stop', work, { timeoutMs: maxOutcomeMs })
}
