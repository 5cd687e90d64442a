/**
 * Test cases of providers with a simulator. They run over HTTP, through the registry and the kit. The last four
 * digits of the recipient select the behaviour of the simulator.
 */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { ChannelName } from '../../../src/channels/channel.ts'
import { toChannelContent } from '../../../src/channels/content.ts'
import { requireValid } from '../../../src/channels/issues.ts'
import { channels } from '../../../src/channels/registry.ts'
import type { Connector, Submission, SubmitOutcome } from '../../../src/carriers/connectors/connector.ts'
import { createConnector, createInbound, getKind } from '../../../src/carriers/connectors/registry.ts'
import { recorded, submission, type Recorded } from '../../support/smpp/fixtures.ts'
import { waitFor } from '../../support/wait.ts'

export const caseNames = [
  'send',
  'throttled',
  'rejected login',
  'missing credit',
  'lost response',
  'receipt by push',
  'receipt by poll',
  'reply',
] as const
export type CaseName = (typeof caseNames)[number]

export interface SimulatedProvider {
  /** Protocol of the provider. */
  readonly name: string
  /** Body of a send without recipient, by channel. */
  readonly bodies: Readonly<Partial<Record<ChannelName, Readonly<Record<string, unknown>>>>>
  /** Unsupported cases with the reason and its source. */
  readonly notOffered: Readonly<Partial<Record<CaseName, string>>>
  /** Starts the simulator. It sends callbacks to `callbackUrl`; without the URL, results are polled. */
  start(callbackUrl: string | undefined): Promise<RunningSimulator>
}

export interface RunningSimulator {
  /** Options of a route to the simulator. */
  readonly options: Readonly<Record<string, unknown>>
  /** Options with a wrong credential. */
  readonly wrongLogin: Readonly<Record<string, unknown>>
  /** Returns the number of accepted messages. */
  accepted(): number
  /** Sends a reply from a subscriber. */
  reply?(from: string, to: string, text: string): Promise<void>
  /** Simulates a call to an opt-out number, for providers that report opt-outs instead of replies. */
  optOut?(from: string, to: string): Promise<void>
  close(): Promise<void>
}

const quick = {
  responseTimeoutMs: 3_000,
  throttleRetryMs: 10,
  reconnectMs: 20,
  loginPauseMs: 200,
  pollIntervalMs: 100,
}
const image = Buffer.from('ffd8ffe000104a46494600010100000100010000ffd9', 'hex')
const file = { key: 'image-1', bytes: image, contentType: 'image/jpeg', name: 'image-1.jpg' }
let references = 0

/** Runs one case. Rejects if the provider does not behave as documented. */
export async function runCase(
  provider: SimulatedProvider,
  channel: ChannelName,
  name: CaseName,
): Promise<void> {
  const trial = new Trial(provider, channel)
  try {
    await cases[name](trial)
  } finally {
    await trial.close()
  }
}

const cases: Readonly<Record<CaseName, (trial: Trial) => Promise<void>>> = {
  async send(trial) {
    await trial.open()
    assert.equal((await trial.submit('0001')).kind, 'accepted')
    assert.equal(trial.simulator.accepted(), 1)
  },
  async throttled(trial) {
    await trial.open()
    const repeated = trial.createSubmission('0009')
    assert.equal((await trial.connector.submit(repeated)).kind, 'throttled')
    assert.equal((await trial.connector.submit(repeated)).kind, 'accepted')
    assert.equal(trial.simulator.accepted(), 1)
  },
  async 'rejected login'(trial) {
    await trial.open({ withWrongLogin: true })
    await waitFor('the account to be refused', async () => {
      if (trial.connector.linked) assert.equal((await trial.submit('0001')).kind, 'unreachable')
      return trial.record.events.includes('account-refused')
    })
    assert.equal(trial.simulator.accepted(), 0)
  },
  async 'missing credit'(trial) {
    await trial.open()
    assert.equal((await trial.submit('0060')).kind, 'unreachable')
    assert.deepEqual([trial.connector.linked, trial.record.events.includes('account-refused')], [false, true])
  },
  async 'lost response'(trial) {
    await trial.open()
    const lost = trial.createSubmission('0012')
    assert.equal((await trial.connector.submit(lost)).kind, 'unknown')
    assert.equal(trial.simulator.accepted(), 1)
    const { reference, from, to, given } = lost
    const carrierId = trial.connector.carrierIdFor?.(reference) ?? null
    const query = { reference, carrierId, from, to, given, submittedAt: new Date() }
    await waitFor('the result', async () => {
      const found = await trial.connector.lookup!.find(query)
      if (found.kind !== 'found' || found.receipt === null) return false
      assert.deepEqual([found.receipt.result, found.receipt.reference], ['delivered', reference])
      return true
    })
  },
  async 'receipt by push'(trial) {
    await trial.open({ pushed: true })
    await trial.expectReceipts()
  },
  async 'receipt by poll'(trial) {
    await trial.open()
    await trial.expectReceipts()
  },
  async reply(trial) {
    await trial.open({ pushed: true })
    const { simulator, record } = trial
    const hasTexts = simulator.optOut === undefined
    if (hasTexts) await simulator.reply!('01012340071', '15880000', 'STOP')
    else await simulator.optOut!('01012340071', '15880000')
    await waitFor('the reply', () => record.replies.length === 1)
    const [{ from, to, text, choice }] = record.replies as [Recorded['replies'][number]]
    assert.deepEqual([from, to[0]?.value], ['01012340071', '15880000'])
    assert.ok(hasTexts ? text === 'STOP' : choice === 'opt-out')
  },
}

/** Simulator, a route to it and the recorded events of its connector. */
class Trial {
  readonly record = recorded()
  readonly #provider: SimulatedProvider
  readonly #channel: ChannelName
  readonly #opened: (() => Promise<unknown>)[] = []
  #simulator: RunningSimulator | undefined
  #connector: Connector | undefined

  constructor(provider: SimulatedProvider, channel: ChannelName) {
    this.#provider = provider
    this.#channel = channel
  }

  get simulator(): RunningSimulator {
    return this.#simulator!
  }

  get connector(): Connector {
    return this.#connector!
  }

  async open({ pushed = false, withWrongLogin = false } = {}): Promise<void> {
    const callbacks = pushed ? await this.#openCallbacks() : undefined
    const simulator = await this.#provider.start(callbacks?.url)
    this.#simulator = simulator
    this.#opened.push(() => simulator.close())
    const login = withWrongLogin ? simulator.wrongLogin : simulator.options
    const options = { ...quick, ...login, ...(pushed ? { poll: false } : {}) }
    callbacks?.serve(options)
    const openFile = () => Promise.resolve(file)
    const connector = createConnector(this.#provider.name, keepKnownOptions(this.#provider.name, options), {
      ...this.record.context,
      openFile,
    })
    this.#connector = connector
    this.#opened.push(() => connector.stop(100))
    connector.start()
    if (!withWrongLogin) await waitFor('the link', () => connector.linked)
  }

  submit(ending: string): Promise<SubmitOutcome> {
    return this.connector.submit(this.createSubmission(ending))
  }

  /** Creates a submission from a request, like accept and dispatch do. */
  createSubmission(ending: string): Submission {
    const channel = channels[this.#channel]
    const body = { ...this.#provider.bodies[this.#channel], to: `0101234${ending}` }
    const draft = requireValid((issues) => channel.draft(body, issues))
    const step = draft.steps[0]!
    return submission({
      reference: `20261115000000000C00A${String(++references).padStart(11, '0')}-1-1-1`,
      from: channel.sender(step),
      to: draft.to,
      given: step,
      message: toChannelContent(step),
      files: channel.files(step),
      part: null,
    })
  }

  async expectReceipts(): Promise<void> {
    const outcomes = [await this.submit('0001'), await this.submit('0002')]
    assert.deepEqual(
      outcomes.map(({ kind }) => kind),
      ['accepted', 'accepted'],
    )
    const ids = outcomes.map((outcome) => (outcome.kind === 'accepted' ? outcome.carrierId : ''))
    await waitFor('both receipts', () =>
      ids.every((id) =>
        this.record.receipts.some((receipt) => receipt.carrierId === id && receipt.result !== 'pending'),
      ),
    )
    const results = ids.map(
      (id) => this.record.receipts.findLast((receipt) => receipt.carrierId === id)!.result,
    )
    assert.deepEqual(results, ['delivered', 'failed'])
  }

  async close(): Promise<void> {
    for (const close of this.#opened.toReversed()) await close()
  }

  /** Receives callbacks like the API. */
  async #openCallbacks(): Promise<{ readonly url: string; serve(options: object): void }> {
    let inbound: ReturnType<typeof createInbound>
    const server = createServer((request, response) => {
      void readBody(request).then(async (body) => {
        const { pathname, searchParams } = new URL(request.url!, 'http://localhost')
        const path = pathname.replace(/^\/inbound\/route/, '') || '/'
        const { method = 'POST', headers } = request
        const result = inbound!({ method, path, query: searchParams, headers, body })
        await Promise.all(result.receipts.map((receipt) => this.record.context.onReceipt(receipt)))
        await Promise.all((result.replies ?? []).map((reply) => this.record.context.onReply!(reply)))
        response.writeHead(result.response.status).end(result.response.body)
      })
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    this.#opened.push(() => {
      server.closeAllConnections()
      server.close()
      return once(server, 'close')
    })
    const { port } = server.address() as AddressInfo
    return {
      url: `http://127.0.0.1:${port}/inbound/route`,
      serve: (options) => {
        inbound = createInbound(this.#provider.name, keepKnownOptions(this.#provider.name, options))
      },
    }
  }
}

/** Removes options that the provider does not have, such as those of polling. */
function keepKnownOptions(protocol: string, options: object): Readonly<Record<string, unknown>> {
  const { properties } = getKind(protocol).options
  return Object.fromEntries(Object.entries(options).filter(([name]) => Object.hasOwn(properties, name)))
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}
