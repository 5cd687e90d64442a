/**
 * The conformance suite of connectors: every kind passes it, given a carrier that the suite can command. It goes through
 * the registry, as dispatch does, so that bounds, secrets and option checks are part of it.
 */
import assert from 'node:assert/strict'
import { suite, test, type TestContext } from 'node:test'
import type { Connector, Receipt, SubmitOutcome } from '../../src/connectors/connector.ts'
import { createConnector, createInbound, takesOf } from '../../src/connectors/registry.ts'
import { recorded, submission, type Recorded } from '../support/smpp/fixtures.ts'
import { waitFor } from '../support/wait.ts'
import type { CarrierPeer, Check, Conformance, Harness } from './peer.ts'

/** No outcome may take longer with time limits of a second. */
const maxOutcomeMs = 5_000

type Store = (receipt: Receipt) => Promise<void>

interface Stage {
  readonly peer: CarrierPeer
  readonly connector: Connector
  readonly record: Recorded
  /** How receipts are stored from now on; before, they are at once. */
  storeBy(store: Store): void
  submit(overrides?: object): Promise<SubmitOutcome>
  open(options: Readonly<Record<string, unknown>>): Connector
}

let references = 0

export function connectorConformance(given: Conformance): void {
  const { kind, without = {} } = given

  async function setUp(t: TestContext): Promise<Stage> {
    let store: Store = () => Promise.resolve()
    const record = recorded((receipt) => store(receipt))
    const context = { ...record.context, ...(given.openFile && { openFile: given.openFile }) }
    let options: Readonly<Record<string, unknown>> = {}
    const harness: Harness = {
      async inbound(request) {
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
      },
    }
    const peer = await given.open(harness)
    const opened: Connector[] = []
    // After the connectors: a carrier that is gone would delay their end.
    t.after(async () => {
      await Promise.all(opened.map((one) => one.stop(100)))
      await peer.close()
    })
    const open = (from: Readonly<Record<string, unknown>>): Connector => {
      options = from
      const created = createConnector(kind, from, context)
      opened.push(created)
      created.start()
      return created
    }
    const connector = open(peer.options)
    const stage: Stage = {
      ...{ peer, connector, record, open },
      storeBy(next) {
        store = next
      },
      submit: (overrides = {}) => within(connector.submit(next(overrides))),
    }
    await waitFor('the link', () => connector.linked)
    return stage
  }

  const next = (overrides: object = {}) => {
    const base = submission({
      reference: `20261115000000000C00A${String(++references).padStart(11, '0')}-1-1-1`,
      ...given.submission,
      ...overrides,
    })
    return takesOf(kind) === 'message' ? { ...base, part: null } : base
  }

  const check = (name: Check, title: string, body: (stage: Stage) => Promise<void>): void => {
    const reason = without[name]
    test(`${name}: ${title}`, { skip: reason ?? false }, async (t) => body(await setUp(t)))
  }

  suite(`${kind} conforms`, () => {
    check('accepted', 'the carrier gets the submission once, and its id is in the outcome', async (stage) => {
      const outcome = await stage.submit()
      assert.equal(outcome.kind, 'accepted')
      assert.equal(stage.peer.received.length, 1)
      assert.ok(sameNumber(stage.peer.received[0]!.to, next().to))
    })

    check('throttled', 'the route is slowed down, and the message may be submitted again', async (stage) => {
      stage.peer.behave('throttle')
      const outcome = await stage.submit()
      assert.ok(outcome.kind === 'throttled')
      assert.ok(outcome.code !== '' && outcome.retryAfterMs >= 0)
      stage.peer.behave('accept')
      assert.equal((await stage.submit()).kind, 'accepted')
    })

    check('refused', 'the refusal has a cause and the carrier’s code', async (stage) => {
      stage.peer.behave('refuse')
      const outcome = await stage.submit()
      assert.ok(outcome.kind === 'refused')
      assert.ok(outcome.code !== '' && outcome.cause !== 'delivered')
    })

    check('temporary failure', 'it was certainly not accepted, and the link goes on', async (stage) => {
      stage.peer.behave('fail')
      assert.equal((await stage.submit()).kind, 'unreachable')
      stage.peer.behave('accept')
      await accepts(stage)
    })

    check(
      'unreachable',
      'a carrier that refuses connections gets nothing, and later gets the next',
      async (stage) => {
        await stage.peer.refuseConnections()
        const before = stage.peer.received.length
        await waitFor('the loss to be noticed', async () => (await stage.submit()).kind === 'unreachable')
        assert.equal(stage.peer.received.length, before)
        await stage.peer.resume()
        await accepts(stage)
      },
    )

    check(
      'no answer',
      'the outcome is unknown, in time, and the connector does not repeat',
      async (stage) => {
        stage.peer.behave('silent')
        assert.equal((await stage.submit()).kind, 'unknown')
        assert.equal(stage.peer.received.length, 1)
      },
    )

    check(
      'connection lost',
      'after the submission was sent: unknown, not repeated, and the link returns',
      async (stage) => {
        stage.peer.behave('hang-up')
        assert.equal((await stage.submit()).kind, 'unknown')
        assert.equal(stage.peer.received.length, 1)
        stage.peer.behave('accept')
        await accepts(stage)
      },
    )

    check(
      'half-open connection',
      'a carrier that reads nothing any more delays no outcome for long',
      async (stage) => {
        await accepts(stage)
        stage.peer.freeze()
        const outcome = await stage.submit()
        assert.ok(outcome.kind === 'unknown' || outcome.kind === 'unreachable', outcome.kind)
        await stage.peer.resume()
        await accepts(stage)
      },
    )

    check(
      'window',
      'more submissions than the window end in an outcome each, and none is lost',
      async (stage) => {
        const count = stage.connector.window + 5
        const all = await within(
          Promise.all(Array.from({ length: Math.min(count, 200) }, () => stage.connector.submit(next()))),
        )
        const accepted = all.filter(({ kind: outcome }) => outcome === 'accepted').length
        assert.equal(stage.peer.received.length, accepted)
        assert.ok(all.every(({ kind: outcome }) => outcome === 'accepted' || outcome === 'unreachable'))
      },
    )

    check(
      'receipt',
      'it names the submission, and is acknowledged only after it is stored',
      async (stage) => {
        const outcome = await stage.submit()
        const [sent] = stage.peer.received
        const stored = Promise.withResolvers<undefined>()
        stage.storeBy(() => stored.promise.then(() => undefined))
        let acknowledged = false
        const sending = stage.peer.sendReceipt(sent!, 'delivered').then((answer) => (acknowledged = answer))
        await waitFor('the receipt', () => stage.record.receipts.length === 1)
        assert.equal(acknowledged, false)
        stored.resolve(undefined)
        await sending
        assert.equal(acknowledged, true)
        const [receipt] = stage.record.receipts
        assert.equal(receipt!.result, 'delivered')
        assert.equal(receipt!.cause, 'delivered')
        const byId = outcome.kind === 'accepted' && sameId(receipt!.carrierId, outcome.carrierId)
        assert.ok(byId || receipt!.reference !== undefined, 'it has the carrier’s id or our reference')
      },
    )

    check(
      'receipt that cannot be stored',
      'it is not acknowledged, and arrives when it is sent again',
      async (stage) => {
        await stage.submit()
        stage.storeBy(() => Promise.reject(new Error('the broker is unavailable')))
        assert.equal(await stage.peer.sendReceipt(stage.peer.received[0]!, 'delivered'), false)
        stage.storeBy(() => Promise.resolve())
        assert.equal(await stage.peer.sendReceipt(stage.peer.received[0]!, 'delivered'), true)
        assert.ok(stage.record.receipts.length >= 2)
      },
    )

    check('early receipt', 'it is passed on before the submission is answered', async (stage) => {
      stage.peer.behave('silent')
      const open = stage.submit()
      await waitFor('the submission', () => stage.peer.received.length === 1)
      assert.equal(await stage.peer.sendReceipt(stage.peer.received[0]!, 'failed'), true)
      assert.equal(stage.record.receipts[0]!.result, 'failed')
      assert.notEqual(stage.record.receipts[0]!.cause, 'delivered')
      await open
    })

    check('late receipt', 'it is passed on by a link that was opened after the submission', async (stage) => {
      await stage.submit()
      await stage.peer.refuseConnections()
      await stage.peer.resume()
      await accepts(stage)
      assert.equal(await stage.peer.sendReceipt(stage.peer.received[0]!, 'delivered'), true)
      assert.equal(stage.record.receipts.length, 1)
    })

    check(
      'duplicated receipt',
      'each copy is passed on and acknowledged: settle counts them once',
      async (stage) => {
        await stage.submit()
        for (let copy = 0; copy < 3; copy++)
          assert.equal(await stage.peer.sendReceipt(stage.peer.received[0]!, 'delivered'), true)
        assert.equal(new Set(stage.record.receipts.map((one) => `${one.carrierId} ${one.reference}`)).size, 1)
      },
    )

    check('intermediate notice', 'it never ends a message', async (stage) => {
      await stage.submit()
      assert.equal(await stage.peer.sendReceipt(stage.peer.received[0]!, 'pending'), true)
      assert.ok(stage.record.receipts.every(({ result }) => result === 'pending'))
    })

    check('drain', 'a stop waits for open submissions, then submits nothing more', async (stage) => {
      const open = Array.from({ length: 5 }, () => stage.submit())
      const stopped = within(stage.connector.stop())
      const outcomes = await Promise.all(open)
      await stopped
      // One that was not sent yet returns to dispatch; one that was sent is answered.
      assert.ok(outcomes.every(({ kind: outcome }) => outcome === 'accepted' || outcome === 'unreachable'))
      const before = stage.peer.received.length
      assert.equal((await stage.submit()).kind, 'unreachable')
      assert.equal(stage.peer.received.length, before)
      assert.equal(stage.connector.linked, false)
    })

    check('stop while frozen', 'it ends in time, and every open submission has an outcome', async (stage) => {
      stage.peer.freeze()
      const open = Array.from({ length: 3 }, () => stage.submit())
      await within(stage.connector.stop(200))
      for (const outcome of await Promise.all(open)) assert.notEqual(outcome.kind, 'accepted')
      await stage.peer.resume()
    })

    check(
      'rotated credentials',
      'the new ones are used by the next link; nothing is refused for good',
      async (stage) => {
        const options = stage.peer.rotate()
        const outcome = await stage.submit()
        // The old link may go on, or be told to log in again: that is a fault of the route, not of the message.
        assert.notEqual(outcome.kind, 'refused')
        await stage.connector.stop()
        const renewed = stage.open(options)
        await waitFor('an acceptance', async () => (await within(renewed.submit(next()))).kind === 'accepted')
      },
    )

    check('hostile answers', 'each ends in an outcome within bounds, and the link goes on', async (stage) => {
      for (const [what, arrange] of Object.entries(stage.peer.hostileAnswers)) {
        arrange()
        const outcome = await stage.submit()
        assert.notEqual(outcome.kind, undefined, what)
        assert.ok(JSON.stringify(outcome).length < 1_000, `${what} is bounded`)
        stage.peer.behave('accept')
        await accepts(stage)
      }
    })
  })

  async function accepts({ submit }: Pick<Stage, 'submit'>): Promise<void> {
    await waitFor('an acceptance', async () => (await submit()).kind === 'accepted')
  }
}

async function within<T>(work: Promise<T>): Promise<T> {
  const timeout = Promise.withResolvers<never>()
  const timer = setTimeout(() => timeout.reject(new Error(`no end within ${maxOutcomeMs} ms`)), maxOutcomeMs)
  try {
    return await Promise.race([work, timeout.promise])
  } finally {
    clearTimeout(timer)
  }
}

const sameNumber = (left: string, right: string): boolean =>
  left.replaceAll(/\D/g, '').slice(-8) === right.replaceAll(/\D/g, '').slice(-8)

const sameId = (left: string | null, right: string): boolean =>
  left !== null && left.trim().toLowerCase() === right.trim().toLowerCase()
